import { randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A secret that fits into a path and a header: 256 bits of the operating system's generator. Secrets never come from a
 * `Random`, which may be seeded and then gives the same on every machine.
 */
export const secretToken = (): string => randomBytes(32).toString('base64url')

/** Whether a client knows the secret; how long it takes tells nothing of it but its length. */
export const isSecret = (given: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
