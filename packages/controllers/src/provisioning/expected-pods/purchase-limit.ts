import type { PlannedClaim } from '@kerf/engine'
import { existingPodsFirst } from './existing-pods-first.ts'
import { isExpectedPod } from './expected-pod.ts'

/**
 * Returns the claims of a plan that Kerf launches at once: all claims with existing pods, and one more claim for the expected pods of each
 * owner without an unused node (`docs/spec/expected-pods.md#how-many-nodes-are-launched-ahead`). So an owner that stops creating pods
 * leaves at most one node unused. Claims with many pods come first, because the last claims of a plan are often small.
 *
 * @param owners returns the owners of the claim's expected pods
 * @param hasUnused returns whether a node that was launched earlier for expected pods of this owner still has no pod
 */
export const limitPurchases = (
  claims: readonly PlannedClaim[],
  owners: (claim: PlannedClaim) => readonly string[],
  hasUnused: (owner: string) => boolean,
): readonly PlannedClaim[] => {
  if (!claims.some(({ pods }) => pods.some(isExpectedPod))) return claims
  const launched = new Set<string>()
  const largestFirst = existingPodsFirst(claims).toSorted((a, b) => b.pods.length - a.pods.length)
  return largestFirst.filter((claim) => {
    if (!claim.pods.every(isExpectedPod)) return true
    const all = owners(claim)
    if (all.every((owner) => launched.has(owner) || hasUnused(owner))) return false
    for (const owner of all) launched.add(owner)
    return true
  })
}
