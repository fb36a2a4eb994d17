import { labels, type NodeClaim, ownValue, type Quantity, setOwnValue } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { ifReadable } from './isolation/if-readable.ts'

/** Returns the instance types named in the requirements of the claim. Undefined if there are none or they cannot be read. */
const namedTypes = (claim: NodeClaim): ReadonlySet<string> | undefined =>
  ifReadable(() => {
    const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')
    return named === undefined ? undefined : new Set(named.values)
  })

/**
 * Returns the largest capacity that the instance of a claim may get: for each resource the largest amount among `requested`
 * and the instance types that the claim names, or all types of its pool if it names none. Limits use it until the cloud
 * reports the instance (`docs/spec/cluster-state.md#when-state-is-complete`).
 */
export const mostCapacityOf = (claim: NodeClaim, requested: Resources, types: readonly InstanceType[]): Resources => {
  const names = namedTypes(claim)
  const most: Record<string, Quantity> = { ...requested }
  for (const { name, capacity } of types) {
    if (names?.has(name) === false) continue
    for (const [resource, amount] of Object.entries(capacity))
      if (amount > (ownValue(most, resource) ?? 0n)) setOwnValue(most, resource, amount)
  }
  return most
}
