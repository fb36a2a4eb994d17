import { createHash } from 'node:crypto'

/** Returns an address in 10.0.0.0/8 that is derived from the name. Nothing listens on it, and two names may have the same address. */
export const nodeAddress = (name: string): string => {
  const digest = createHash('sha256').update(name).digest()
  return `10.${digest.readUInt8(0)}.${digest.readUInt8(1)}.${1 + (digest.readUInt8(2) % 254)}`
}
