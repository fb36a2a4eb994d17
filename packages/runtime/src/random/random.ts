/**
 * A source of random values, which code gets as an argument. The source is seeded in tests and simulations. In production it is the
 * operating system.
 */
export interface Random {
  /** Returns a uniformly distributed number in [0, 1). */
  next(): number
  /** Returns a uniformly distributed integer in [0, 2^32). */
  uint32(): number
  /** Returns a version-4 UUID from this source. */
  uuid(): string
  /** Returns `length` characters of `alphabet`, by default those that Kubernetes uses in generated names. */
  text(length: number, alphabet?: string): string
}

/** The characters that Kubernetes uses in generated names: no vowels, and none that are easily confused. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** Returns a number in [0, 1) with 53 random bits. */
export const drawFraction = (uint32: () => number): number =>
  ((uint32() >>> 5) * 67_108_864 + (uint32() >>> 6)) / 9_007_199_254_740_992

/** Returns a version-4 UUID (RFC 9562) from four random values. */
export const drawUuid = (uint32: () => number): string => {
  const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
  const versioned = (uint32() & 0xffff_0fff) | 0x0000_4000
  const variant = (uint32() & 0x3fff_ffff) | 0x8000_0000
  const [a, b, c, d] = [hex(uint32()), hex(versioned), hex(variant), hex(uint32())]
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`
}

/** Returns `length` characters, each drawn uniformly from `alphabet`. */
export const drawText = (next: () => number, length: number, alphabet: string = NAME_ALPHABET): string => {
  let text = ''
  for (let index = 0; index < length; index++) text += alphabet[Math.floor(next() * alphabet.length)] ?? ''
  return text
}
