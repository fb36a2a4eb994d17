import { labels, type NodeClaim, ownValue, type Quantity, setOwnValue } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'

/**
 * Returns the most that the instance of a claim can turn out to have: of each resource the largest amount among the types that the
 * claim names, or among all types of its pool if it names none. Limits count it until the cloud says what it gave.
 */
export const mostCapacityOf = (claim: NodeClaim, types: readonly InstanceType[]): Resources => {
  const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')
  const names = named === undefined ? undefined : new Set(named.values)
  const most: Record<string, Quantity> = {}
  for (const { name, capacity } of types) {
    if (names?.has(name) === false) continue
    for (const [resource, amount] of Object.entries(capacity))
      if (amount > (ownValue(most, resource) ?? 0n)) setOwnValue(most, resource, amount)
  }
  return most
}

/** The larger of both amounts of each resource. */
export const atLeast = (amounts: Resources, others: Resources): Resources => {
  const larger: Record<string, Quantity> = { ...amounts }
  for (const [resource, amount] of Object.entries(others))
    if (amount > (ownValue(larger, resource) ?? 0n)) setOwnValue(larger, resource, amount)
  return larger
}
