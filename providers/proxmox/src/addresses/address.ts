/** Parses and formats IP addresses and networks for templates and address pools. */

/** An IP address as a number. */
export interface Address {
  readonly version: 4 | 6
  readonly value: bigint
}

/** An address with the length of its network prefix. */
export interface Network extends Address {
  readonly prefix: number
}

const BITS = { 4: 32, 6: 128 } as const
const OCTET = /^(?:0|[1-9]\d{0,2})$/

const parse4 = (text: string): bigint | undefined => {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return undefined
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

const groupsIn = (text: string): readonly string[] | undefined => {
  const groups = text === '' ? [] : text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) ? groups : undefined
}

const parse6 = (text: string): bigint | undefined => {
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return undefined
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')]
  if (left === undefined || right === undefined) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** Parses an address. Returns undefined if the text is not an address. */
export const parseAddress = (text: string): Address | undefined => {
  const version = text.includes(':') ? 6 : 4
  const value = version === 6 ? parse6(text) : parse4(text)
  return value === undefined ? undefined : { version, value }
}

/** Parses an address with a prefix, such as `10.0.0.0/24`. Returns undefined for any other text. */
export const parseNetwork = (text: string): Network | undefined => {
  const [, host = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseAddress(host)
  return address === undefined || Number(prefix) > BITS[address.version]
    ? undefined
    : { ...address, prefix: Number(prefix) }
}

const format6 = (value: bigint): string => {
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16))
  const text = groups.join(':')
  const longest = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].toSorted((a, b) => b[0].length - a[0].length)[0]
  if (longest === undefined) return text
  return `${text.slice(0, longest.index)}::${text.slice(longest.index + longest[0].length).replace(/^:/, '')}`
}

/** Returns the canonical text of an address. */
export const formatAddress = ({ version, value }: Address): string =>
  version === 6 ? format6(value) : [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** Returns the number of addresses in a network. */
export const networkSize = ({ version, prefix }: Network): bigint => 1n << BigInt(BITS[version] - prefix)

/** Returns the first address of the network that contains the address. */
export const networkStart = (network: Network): bigint => network.value & ~(networkSize(network) - 1n)

/** Returns true if the network contains the address. */
export const contains = (network: Network, { version, value }: Address): boolean =>
  version === network.version && value >= networkStart(network) && value < networkStart(network) + networkSize(network)

/**
 * Returns the address that an interface derives from its hardware address in an IPv6 network (RFC 4291, appendix A). For a prefix longer
 * than 64, the interface identifier is truncated. Returns undefined if the prefix is longer than 112 or the hardware address is invalid.
 */
export const slaacAddress = (network: Network, hardwareAddress: string): Address | undefined => {
  const octets = hardwareAddress.split(/[:-]/).map((octet) => Number.parseInt(octet, 16))
  if (network.version !== 6 || network.prefix > 112) return undefined
  if (octets.length !== 6 || octets.some((octet) => Number.isNaN(octet) || octet > 255)) return undefined
  const [first = 0, second = 0, third = 0, ...last] = octets
  const identifier = [first ^ 2, second, third, 0xff, 0xfe, ...last].reduce(
    (value, octet) => (value << 8n) | BigInt(octet),
    0n,
  )
  return { version: 6, value: networkStart(network) | (identifier & (networkSize(network) - 1n)) }
}
