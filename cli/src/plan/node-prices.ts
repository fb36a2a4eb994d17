import type { UsdPerHour } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, NodeState } from '@kerf/engine'
import { hourlyPrices } from '../cluster/hourly-prices.ts'

/**
 * What a node costs: as its NodePool is offered it, overlays included, which is what new nodes are priced by; otherwise by the list.
 * `nodeOverheadCost` is what every node costs beside its instance. Undefined where nobody knows the price, or the instance type.
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
