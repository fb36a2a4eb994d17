import { labels, type NodeClaim, ownValue, type Quantity, setOwnValue } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { ifReadable } from '../isolation/if-readable.ts'

/** The names of instance types in the claim's requirements; undefined where they name none, or cannot be read. */
const namedTypes = (claim: NodeClaim): ReadonlySet<string> | undefined =>
  ifReadable(() => {
    const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')
    return named === undefined ? undefined : new Set(named.values)
  })

/**
 * Returns the most that the instance of a claim can turn out to have: of each resource the largest amount among `requested` and the
 * types that the claim names, or all types of its pool if it names none. Limits count it until the cloud says what it gave
 * (`docs/spec/cluster-state.md#when-state-is-complete`).
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
