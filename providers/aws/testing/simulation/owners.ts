import { createHash } from 'node:crypto'

/**
 * Returns the value for a NodeClaim in the tag `kerf.sh/nodeclaims` (providers/aws/docs/aws.md): twelve hexadecimal digits of the SHA-256
 * of its uid.
 */
export const shortDigest = (uid: string): string => createHash('sha256').update(uid).digest('hex').slice(0, 12)

/**
 * Assigns a NodeClaim to each instance. The tags alone do not identify the NodeClaim, because all instances of one fleet have the same
 * tags. The function gives as many instances as possible a claim of their own (a maximum matching, by augmenting paths). `known` contains
 * the owners that are already known.
 *
 * @param candidates for each instance, the claims that it may have been launched for
 * @returns for each instance, its claim; a surplus instance shares its first candidate with another instance
 */
export const findOwners = (
  candidates: ReadonlyMap<string, readonly string[]>,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const byClaim = new Map<string, string>()
  for (const [instance, claim] of known) byClaim.set(claim, instance)
  const place = (instance: string, tried: Set<string>): boolean => {
    const claims = candidates.get(instance) ?? []
    const free = claims.find((claim) => !byClaim.has(claim))
    if (free !== undefined) {
      byClaim.set(free, instance)
      return true
    }
    return claims.some((claim) => {
      const holder = byClaim.get(claim)
      if (holder === undefined || known.has(holder) || tried.has(claim)) return false
      tried.add(claim)
      if (!place(holder, tried)) return false
      byClaim.set(claim, instance)
      return true
    })
  }
  for (const instance of candidates.keys()) if (!known.has(instance)) place(instance, new Set())
  const owners = new Map(known)
  for (const [claim, instance] of byClaim) owners.set(instance, claim)
  for (const [instance, claims] of candidates) {
    const [first] = claims
    if (!owners.has(instance) && first !== undefined) owners.set(instance, first)
  }
  return owners
}
