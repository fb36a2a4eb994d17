import { type Milliseconds, type NodeClaim, parseNillableDuration, parseTime } from '@kerf/apis'

/**
 * Returns which fraction of its lifetime a claim has left: 1 at its creation and for claims that never expire, 0 when it expires.
 */
export const remainingLife = (claim: NodeClaim, now: Milliseconds): number => {
  const life = parseNillableDuration(claim.spec.expireAfter ?? 'Never')
  if (life === 'Never') return 1
  if (life <= 0) return 0
  const age = now - (parseTime(claim.metadata.creationTimestamp) ?? now)
  return Math.min(1, Math.max(0, (life - age) / life))
}
