import type { UsdPerHour } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, NodeState } from '@kerf/engine'
import { hourlyPrices } from '../cluster/hourly-prices.ts'

/**
 * Returns a function that computes the hourly price of a node. If the NodePool offers the instance type, the price is that of new nodes,
 * including overlays. Otherwise it is the price in the list of instance types. `nodeOverheadCost` is added to the price of every node. The
 * function returns undefined if the instance type or its price is unknown.
 */
export const nodePrices = (
  { pools }: ClusterSnapshot,
  types: readonly InstanceType[],
  nodeOverheadCost: UsdPerHour = 0,
): ((node: NodeState) => UsdPerHour | undefined) => {
  const listPrice = hourlyPrices(types)
  const offered = new Map<string | undefined, ReturnType<typeof hourlyPrices>>(
    pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, hourlyPrices(instanceTypes)]),
  )
  return ({ nodePool, labels }) => {
    const price = offered.get(nodePool)?.(labels) ?? listPrice(labels)
    return price === undefined ? undefined : price + nodeOverheadCost
  }
}
