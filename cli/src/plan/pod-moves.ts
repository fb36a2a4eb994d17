import type { UsdPerHour } from '@kerf/apis'
import type { ProvisioningForecast } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { nodePrices } from './node-prices.ts'
import type { PlanDocument } from './plan-document.ts'

/** Where a pod is today and would be. */
export interface PodMove {
  readonly pod: string
  /** Its node; absent for a pod that waits. */
  readonly from?: string
  /** The name of a node that is there, or the number of a new one. */
  readonly to: string | number
}

/** What a cluster costs. */
export interface ClusterCost {
  readonly nodes: number
  /** Of the nodes with a known price. */
  readonly hourly: UsdPerHour
  readonly unpriced: number
}

/** Where the plan puts each pod: new nodes by their number, from 1 on. */
export const movesOf = (plan: PlanDocument, fromOf: (pod: string) => string | undefined): readonly PodMove[] => {
  const moveOf = (pod: string, to: string | number): PodMove => {
    const from = fromOf(pod)
    return { pod, ...(from === undefined ? {} : { from }), to }
  }
  return [
    ...plan.nodeClaims.flatMap(({ pods }, index) => pods.map((pod) => moveOf(pod, index + 1))),
    ...plan.existingNodes.flatMap(({ name, pods }) => pods.map((pod) => moveOf(pod, name))),
  ]
}

/** The nodes that stay, for what a drain cannot move among them, and those of the plan. */
export const costAfter = (
  { snapshot, plan, staying }: ProvisioningForecast,
  types: readonly InstanceType[],
  nodeOverheadCost: UsdPerHour = 0,
): ClusterCost => {
  const priceOf = nodePrices(snapshot, types, nodeOverheadCost)
  const prices = snapshot.nodes
    .filter(({ name, markedForDeletion }) => !markedForDeletion || staying.has(name))
    .map((node) => priceOf(node))
  const sum = prices.reduce<number>((total, price) => total + (price ?? 0), plan.hourlyCost)
  return {
    nodes: prices.length + plan.claims.length,
    hourly: Number(sum.toFixed(9)),
    unpriced: prices.filter((price) => price === undefined).length + plan.unpricedClaims,
  }
}
