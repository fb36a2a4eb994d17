import type { UsdPerHour } from '@kerf/apis'
import type { ProvisioningForecast } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { nodePrices } from './node-prices.ts'
import type { PlanDocument } from './plan-document.ts'

/** The node on which a pod runs today, and the node on which it would run. */
export interface PodMove {
  readonly pod: string
  /** The current node. Absent for a pending pod. */
  readonly from?: string
  /** The name of an existing node, or the number of a new node. */
  readonly to: string | number
}

/** The number of nodes in a cluster, and their cost. */
export interface ClusterCost {
  readonly nodes: number
  /** The total cost of the nodes whose price is known. */
  readonly hourly: UsdPerHour
  readonly unpriced: number
}

/** Returns where the plan places each pod. New nodes are numbered from 1. */
export const podMoves = (plan: PlanDocument, fromOf: (pod: string) => string | undefined): readonly PodMove[] => {
  const podMove = (pod: string, to: string | number): PodMove => {
    const from = fromOf(pod)
    return { pod, ...(from === undefined ? {} : { from }), to }
  }
  return [
    ...plan.nodeClaims.flatMap(({ pods }, index) => pods.map((pod) => podMove(pod, index + 1))),
    ...plan.existingNodes.flatMap(({ name, pods }) => pods.map((pod) => podMove(pod, name))),
  ]
}

/** Returns the cost of the planned nodes and of the existing nodes that remain. A node remains if its pods cannot be drained. */
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
