import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * Returns a secret that can be used in a path and in a header: 256 bits from the operating system. Secrets must not come from a
 * `Random`, because a seeded one returns the same values on every machine.
 */
export const secretToken = (): string => randomBytes(32).toString('base64url')

/** Returns a secret of `length` characters of an alphabet, for systems that prescribe the form of their secrets. */
export const secretText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Returns whether `given` is the secret. The duration of the comparison reveals only the length of the secret. */
export const isSecret = (given: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
