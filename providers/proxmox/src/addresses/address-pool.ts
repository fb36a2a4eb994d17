import { ownValue } from '@kerf/apis'
import { parseProperties } from '../api/property-string.ts'
import type { GuestConfig } from '../api/proxmox-api.ts'
import { formatAddress, type Network, networkSize, networkStart, parseAddress, parseNetwork } from './address.ts'

/** An IPv4 network in the cloud-init options of a template. Each guest gets one address from it. */
export interface AddressPool {
  /** The number of the option, for example 0 for `ipconfig0`. */
  readonly index: number
  readonly network: Network
  /** The gateway in the template. */
  readonly gateway: string | undefined
}

/**
 * The longest prefixes of a pool. With a longer IPv4 prefix, no address would remain between the network address and the broadcast address.
 */
const LONGEST_PREFIX = 30
const LONGEST_PREFIX_6 = 112

/** Returns true for the address of a network itself, such as 10.0.0.0/24. Such a value is a pool. Any other value is a fixed address. */
export const isPool = (text: string): boolean => {
  const network = parseNetwork(text)
  return (
    network !== undefined &&
    network.value === networkStart(network) &&
    network.prefix <= (network.version === 4 ? LONGEST_PREFIX : LONGEST_PREFIX_6)
  )
}

const optionNumbers = (config: GuestConfig): readonly number[] =>
  Object.keys(config)
    .flatMap((option) => /^ipconfig(\d+)$/.exec(option)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)

/** Returns the properties of `ipconfigN`. */
export const addressOption = (config: GuestConfig, index: number): ReadonlyMap<string, string> =>
  parseProperties(String(ownValue(config, `ipconfig${index}`) ?? ''), 'ip')

/** Returns the IPv4 pools in the options of a template or a new clone. */
export const addressPools = (config: GuestConfig): readonly AddressPool[] =>
  optionNumbers(config).flatMap((index) => {
    const properties = addressOption(config, index)
    const text = properties.get('ip') ?? ''
    const network = isPool(text) ? parseNetwork(text) : undefined
    return network?.version === 4 ? [{ index, network, gateway: hostIn(properties.get('gw') ?? '') }] : []
  })

/** Returns the fixed IPv4 addresses and the gateways in a guest's cloud-init options, without prefixes. */
export const fixedAddresses = (config: GuestConfig): readonly string[] =>
  optionNumbers(config).flatMap((index) => {
    const properties = addressOption(config, index)
    return ['ip', 'gw'].flatMap((key) => {
      const value = properties.get(key) ?? ''
      return isPool(value) ? [] : (hostIn(value) ?? [])
    })
  })

/** Returns the address in a text, with or without a prefix, in its canonical form. */
export const hostIn = (text: string): string | undefined => {
  const address = parseAddress(text.split('/')[0] ?? '')
  return address && formatAddress(address)
}

/** Returns the lowest free address of the pool. Never returns the network address or the broadcast address. */
export const freeAddress = ({ network }: AddressPool, isUsed: (address: string) => boolean): string | undefined => {
  const end = networkStart(network) + networkSize(network) - 1n
  for (let value = networkStart(network) + 1n; value < end; value++) {
    const address = formatAddress({ version: 4, value })
    if (!isUsed(address)) return address
  }
  return undefined
}

/** The addresses of a guest by the number of their option, for example 0 for `ipconfig0`. Each address has a prefix. */
export type GuestAddresses = ReadonlyMap<number, string>

/** Formats addresses as one text for the description of a guest, for example `0:10.0.0.5/24;1:10.1.0.5/24`. */
export const formatAddresses = (addresses: GuestAddresses): string =>
  [...addresses].map(([index, address]) => `${index}:${address}`).join(';')

/** Parses the addresses in a description. Ignores entries in any other form. */
export const parseAddresses = (text: string): GuestAddresses =>
  new Map(
    text.split(';').flatMap((entry) => {
      const [, index, address] = /^(\d+):(\S+)$/.exec(entry) ?? []
      return index === undefined || address === undefined ? [] : [[Number(index), address] as const]
    }),
  )
