import { labels, type NodeClaim, ownValue, type Quantity, setOwnValue } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { ifReadable } from './isolation/if-readable.ts'

/** Returns the instance types in the claim's requirements. Undefined if there are none or the requirements cannot be read. */
const namedTypes = (claim: NodeClaim): ReadonlySet<string> | undefined =>
  ifReadable(() => {
    const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')
    return named === undefined ? undefined : new Set(named.values)
  })

/**
 * Returns the largest capacity that a claim's instance may have: for each resource, the largest amount in `requested` and in the instance
 * types of the claim's requirements. If the requirements contain no instance types, all types of the pool are possible. Limits use this
 * capacity until the cloud reports the instance (`docs/spec/cluster-state.md#when-state-is-complete`).
 */
export const largestCapacity = (claim: NodeClaim, requested: Resources, types: readonly InstanceType[]): Resources => {
  const names = namedTypes(claim)
  const most: Record<string, Quantity> = { ...requested }
  for (const { name, capacity } of types) {
    if (names?.has(name) === false) continue
    for (const [resource, amount] of Object.entries(capacity))
      if (amount > (ownValue(most, resource) ?? 0n)) setOwnValue(most, resource, amount)
  }
  return most
}
