import { type Milliseconds, type NodeClaim, parseNillableDuration, parseTime } from '@kerf/apis'

/**
 * Returns the fraction of its lifetime that a claim has left: 1 when it is created, 0 when it expires. A claim that never expires has 1.
 */
export const remainingLife = (claim: NodeClaim, now: Milliseconds): number => {
  const life = parseNillableDuration(claim.spec.expireAfter ?? 'Never')
  if (life === 'Never') return 1
  if (life <= 0) return 0
  const age = now - (parseTime(claim.metadata.creationTimestamp) ?? now)
  return Math.min(1, Math.max(0, (life - age) / life))
}
