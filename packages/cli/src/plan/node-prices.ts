import type { UsdPerHour } from '@kerf/apis'
import { type ClusterSnapshot, coveredShares, type InstanceType, type NodeState } from '@kerf/engine'
import { hourlyPrices } from '../cluster/hourly-prices.ts'

/**
 * Returns a function that computes the hourly price of a node. If the NodePool offers the instance type, this is the price of new nodes of
 * that type, including NodeOverlays. Otherwise it is the price in the list of instance types. A node that a commitment covers has the price
 * 0. `nodeOverheadCost` is added to the price of every node. The function returns undefined if the instance type or its price is unknown.
 */
export const nodePrices = (
  { pools, commitments }: ClusterSnapshot,
  types: readonly InstanceType[],
  nodeOverheadCost: UsdPerHour = 0,
): ((node: NodeState) => UsdPerHour | undefined) => {
  const listPrice = hourlyPrices(types)
  const offered = new Map<string | undefined, ReturnType<typeof hourlyPrices>>(
    pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, hourlyPrices(instanceTypes)]),
  )
  const covered = coveredShares(commitments)
  return ({ name, nodePool, labels }) => {
    const share = covered.get(name) ?? 0
    const price = share === 1 ? 0 : (offered.get(nodePool)?.(labels) ?? listPrice(labels))
    return price === undefined ? undefined : price * (1 - share) + nodeOverheadCost
  }
}
