import { annotations, type NodeClaim, type Pod, parseNillableDuration } from '@kerf/apis'
import type { Milliseconds } from '@kerf/runtime'

const BOUND = 10

const deletionCostOf = (pod: Pod): number => {
  const cost = Number.parseFloat(pod.metadata.annotations?.[annotations.podDeletionCost] ?? '0')
  return Number.isFinite(cost) ? cost : 0
}

/** How much it hurts to evict a pod: 1 for an ordinary one, within ±10 (`spec/scheduling.md` 6.1). */
export const evictionCost = (pod: Pod): number => {
  const cost = 1 + deletionCostOf(pod) / 2 ** 27 + (pod.spec.priority ?? 0) / 2 ** 25
  return Math.min(BOUND, Math.max(-BOUND, cost))
}

/** The part of its life that a claim has still before it: 1 at birth and for claims that never expire, 0 at the end. */
export const remainingLife = (claim: NodeClaim, now: Milliseconds): number => {
  const life = parseNillableDuration(claim.spec.expireAfter ?? 'Never')
  if (life === 'Never') return 1
  if (life <= 0) return 0
  const age = now - Date.parse(claim.metadata.creationTimestamp ?? '')
  return Math.min(1, Math.max(0, (life - age) / life))
}
