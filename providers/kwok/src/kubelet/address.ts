import { createHash } from 'node:crypto'

/** An address in 10.0.0.0/8 that follows from the name. Simulated: nothing listens there, and two may coincide. */
export const addressOf = (name: string): string => {
  const digest = createHash('sha256').update(name).digest()
  return `10.${digest.readUInt8(0)}.${digest.readUInt8(1)}.${1 + (digest.readUInt8(2) % 254)}`
}
