import {
  addQuantities,
  formatQuantity,
  ownValue,
  type Quantity,
  quantityFormat,
  type ResourceList,
  toQuantity,
  tryParseQuantity,
  zero,
} from '@kerf/apis'
import { countsAgainst } from '../nodes/pool-use.ts'
import type { Plan, PlannedClaim } from '../plan.ts'
import type { ClusterSnapshot, PoolOption } from '../snapshot.ts'

/**
 * Determines how each new node of a plan is counted: with the capacity of its cheapest instance type, or of the largest type that it may
 * have.
 */
export type CountedAs = 'cheapest' | 'largest'

const ONE = toQuantity(1)
const GIB = toQuantity(1024 ** 3)

const largest = (amounts: readonly Quantity[]): Quantity => amounts.reduce((a, b) => (a > b ? a : b), zero)

/** Rounds up to whole CPUs or whole Gi, as people write limits. */
export const rounded = (resource: string, amount: Quantity): Quantity => {
  const step = quantityFormat(resource) === 'BinarySI' ? GIB : ONE
  return (((amount + step - 1n) / step) * step) as Quantity
}

/** Returns the amount of a resource with which a planned node is counted. */
export const claimAmount = (
  claim: PlannedClaim,
  option: PoolOption,
  resource: string,
  countedAs: CountedAs,
): Quantity => {
  const names = countedAs === 'cheapest' ? [claim.cheapest.instanceType] : claim.instanceTypes
  return largest(
    option.instanceTypes
      .filter(({ name }) => names.includes(name))
      .map(({ capacity }) => ownValue(capacity, resource) ?? zero),
  )
}

/**
 * Returns a NodePool's limits, raised so that they cover its nodes and the nodes that a plan launches in it. Limits that already
 * cover them are not changed.
 */
export const raisedLimits = (
  { nodes }: Pick<ClusterSnapshot, 'nodes'>,
  option: PoolOption,
  { claims }: Pick<Plan, 'claims'>,
  countedAs: CountedAs,
): ResourceList => {
  const { metadata, spec } = option.nodePool
  const own = nodes.filter((node) => countsAgainst(metadata.name, node))
  const launched = claims.filter(({ nodePool }) => nodePool === metadata.name)
  return Object.fromEntries(
    Object.entries(spec.limits ?? {}).map(([resource, written]) => {
      const limit = tryParseQuantity(written)
      if (limit === undefined) return [resource, written]
      const needed =
        resource === 'nodes'
          ? toQuantity(own.length + launched.length)
          : addQuantities(
              ...own.map(({ capacity }) => ownValue(capacity, resource) ?? zero),
              ...launched.map((claim) => claimAmount(claim, option, resource, countedAs)),
            )
      if (needed <= limit) return [resource, written]
      return [resource, formatQuantity(rounded(resource, needed), quantityFormat(resource))]
    }),
  )
}
