import { annotations, type Pod } from '@kerf/apis'

const BOUND = 10

const deletionCostOf = (pod: Pod): number => {
  const cost = Number.parseFloat(pod.metadata.annotations?.[annotations.podDeletionCost] ?? '0')
  return Number.isFinite(cost) ? cost : 0
}

/**
 * Returns the cost of evicting a pod (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`). An ordinary pod costs 1. The cost is
 * never below -10 or above 10.
 */
export const evictionCost = (pod: Pod): number => {
  const cost = 1 + deletionCostOf(pod) / 2 ** 27 + (pod.spec.priority ?? 0) / 2 ** 25
  return Math.min(BOUND, Math.max(-BOUND, cost))
}
