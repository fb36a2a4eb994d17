import { annotations, type Pod } from '@kerf/apis'

const BOUND = 10

const deletionCostOf = (pod: Pod): number => {
  const cost = Number.parseFloat(pod.metadata.annotations?.[annotations.podDeletionCost] ?? '0')
  return Number.isFinite(cost) ? cost : 0
}

/**
 * Returns the cost of evicting a pod, from -10 to 10 (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`). The cost of an
 * ordinary pod is 1.
 */
export const evictionCost = (pod: Pod): number => {
  const cost = 1 + deletionCostOf(pod) / 2 ** 27 + (pod.spec.priority ?? 0) / 2 ** 25
  return Math.min(BOUND, Math.max(-BOUND, cost))
}
