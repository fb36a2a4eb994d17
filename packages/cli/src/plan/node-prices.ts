import type { UsdPerHour } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, NodeState } from '@kerf/engine'
import { hourlyPrices } from '../cluster/hourly-prices.ts'

/**
 * Returns a function for the hourly price of a node. If the NodePool offers the type, the price is that of new nodes, with overlays;
 * otherwise it is that of the list. `nodeOverheadCost` is added for every node. Undefined if the instance type or its price is unknown.
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
