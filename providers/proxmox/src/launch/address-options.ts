import { ownValue } from '@kerf/apis'
import { formatAddress, parseNetwork, slaacAddress } from '../addresses/address.ts'
import { addressOption, type GuestAddresses, hostIn, isPool } from '../addresses/address-pool.ts'
import type { Parameters } from '../api/parameters.ts'
import { formatProperties, parseProperties } from '../api/property-string.ts'
import type { GuestConfig, NetworkInterface } from '../api/proxmox-api.ts'
import { hardwareAddress } from '../cloud-init/network-variables.ts'

/**
 * Returns the `ipconfigN` options of a guest whose template has address pools. They contain its IPv4 addresses, and its IPv6 addresses,
 * which are derived from the hardware addresses. If the template specifies no gateway, the gateway is the hypervisor's address on the
 * bridge.
 */
export const addressOptions = (
  config: GuestConfig,
  addresses: GuestAddresses,
  bridges: readonly NetworkInterface[],
): Parameters => {
  const options = Object.keys(config).flatMap((option): readonly (readonly [string, string])[] => {
    const index = Number(/^ipconfig(\d+)$/.exec(option)?.[1] ?? Number.NaN)
    if (Number.isNaN(index)) return []
    const properties = new Map(addressOption(config, index))
    const card = String(ownValue(config, `net${index}`) ?? '')
    const bridge = bridges.find(({ iface }) => iface === parseProperties(card, 'model').get('bridge'))
    const [ip, ip6 = ''] = [addresses.get(index), properties.get('ip6')]
    const network = isPool(ip6) ? parseNetwork(ip6) : undefined
    if (ip === undefined && network === undefined) return []
    const gateway = hostIn(bridge?.cidr ?? '')
    if (ip !== undefined) properties.set('ip', ip)
    if (ip !== undefined && !properties.has('gw') && gateway !== undefined) properties.set('gw', gateway)
    const own = network && slaacAddress(network, hardwareAddress(card))
    if (network !== undefined && own !== undefined) properties.set('ip6', `${formatAddress(own)}/${network.prefix}`)
    return [[option, formatProperties(properties)]]
  })
  return Object.fromEntries(options)
}
