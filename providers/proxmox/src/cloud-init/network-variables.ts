import { ownValue } from '@kerf/apis'
import { parseProperties } from '../api/property-string.ts'
import type { GuestConfig, NetworkInterface } from '../api/proxmox-api.ts'
import { GoStruct } from '../go-template/go-value.ts'

const USUAL_MTU = 1_500
/** The MTU value that means "use the MTU of the bridge" in Proxmox. */
const BRIDGE_MTU = 1

const YAML_NAMES = {
  ...{ Name: 'name', MacAddr: 'mac_address', DHCPv4: 'dhcp4', DHCPv6: 'dhcp6', SLAAC: 'slaac' },
  ...{ Address4: 'addresses4', Address6: 'addresses6', Gateway4: 'gateway4', Gateway6: 'gateway6', MTU: 'mtu' },
  ...{ NodeAddress4: 'node_address4', NodeAddress6: 'node_address6' },
  ...{ NodeGateway4: 'node_gateway4', NodeGateway6: 'node_gateway6' },
}

const words = (value: unknown): readonly string[] =>
  String(value ?? '')
    .split(/[ ,;]+/)
    .filter((word) => word !== '')

const HARDWARE_ADDRESS = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i

/** Returns the hardware address in a network card's option, for example `virtio=BC:24:11:00:00:01,bridge=vmbr0`. */
export const hardwareAddress = (card: string): string =>
  [...parseProperties(card, 'model').values()].find((value) => HARDWARE_ADDRESS.test(value)) ?? ''

const interfaceVariables = (
  index: number,
  card: string,
  config: GuestConfig,
  bridges: readonly NetworkInterface[],
): GoStruct => {
  const properties = parseProperties(card, 'model')
  const bridge = bridges.find(({ iface }) => iface === properties.get('bridge'))
  const addresses = parseProperties(String(ownValue(config, `ipconfig${index}`) ?? ''), 'ip')
  const [ip = '', ip6 = ''] = [addresses.get('ip'), addresses.get('ip6')]
  const mtu = Number(properties.get('mtu') ?? 0)
  return new GoStruct(
    {
      Name: `eth${index}`,
      MacAddr: hardwareAddress(card),
      DHCPv4: ip === 'dhcp',
      DHCPv6: ip6 === 'dhcp',
      SLAAC: ip6 === 'auto',
      Address4: ['', 'dhcp', 'manual'].includes(ip) ? [] : [ip],
      Address6: ['', 'dhcp', 'auto', 'manual'].includes(ip6) ? [] : [ip6],
      Gateway4: addresses.get('gw') ?? '',
      Gateway6: addresses.get('gw6') ?? '',
      MTU: (mtu > BRIDGE_MTU ? mtu : Number(bridge?.mtu ?? 0)) || USUAL_MTU,
      NodeAddress4: bridge?.cidr ?? '',
      NodeAddress6: bridge?.cidr6 ?? '',
      NodeGateway4: bridge?.gateway ?? '',
      NodeGateway6: bridge?.gateway6 ?? '',
    },
    YAML_NAMES,
  )
}

/** Returns the variable `.Network`: the interfaces of a guest, with the addresses of their bridges on the hypervisor. */
export const networkVariables = (config: GuestConfig, bridges: readonly NetworkInterface[]): GoStruct =>
  new GoStruct(
    {
      Interfaces: Object.keys(config)
        .flatMap((option) => /^net(\d+)$/.exec(option)?.[1] ?? [])
        .map(Number)
        .toSorted((a, b) => a - b)
        .map((index) => interfaceVariables(index, String(ownValue(config, `net${index}`) ?? ''), config, bridges)),
      SearchDomains: words(config['searchdomain']),
      NameServers: words(config['nameserver']),
    },
    { SearchDomains: 'search_domains', NameServers: 'name_servers' },
  )
