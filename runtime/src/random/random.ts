/** Chance as an argument: seeded in tests and simulations, from the operating system in production. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, 2^32). */
  uint32(): number
  /** A version-4 UUID drawn from this source. */
  uuid(): string
  /** `length` characters of `alphabet`, by default the one that Kubernetes uses for generated names. */
  text(length: number, alphabet?: string): string
}

/** What Kubernetes draws generated names from: no vowels, and nothing that reads like another character. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** A number in [0, 1) with 53 random bits. */
export const fractionOf = (uint32: () => number): number =>
  ((uint32() >>> 5) * 67_108_864 + (uint32() >>> 6)) / 9_007_199_254_740_992

/** A version-4 UUID (RFC 9562) from four draws. */
export const uuidOf = (uint32: () => number): string => {
  const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
  const versioned = (uint32() & 0xffff_0fff) | 0x0000_4000
  const variant = (uint32() & 0x3fff_ffff) | 0x8000_0000
  const [a, b, c, d] = [hex(uint32()), hex(versioned), hex(variant), hex(uint32())]
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`
}

/** `length` characters, each drawn evenly from `alphabet`. */
export const textOf = (next: () => number, length: number, alphabet: string = NAME_ALPHABET): string => {
  let text = ''
  for (let index = 0; index < length; index++) text += alphabet[Math.floor(next() * alphabet.length)] ?? ''
  return text
}
