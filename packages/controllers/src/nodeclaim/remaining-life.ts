import { type Milliseconds, type NodeClaim, parseNillableDuration, parseTime } from '@kerf/apis'

/**
 * Returns the remaining fraction of the claim's lifetime: 1 at its creation, 0 when it expires. Always 1 for a claim that never expires.
 */
export const remainingLife = (claim: NodeClaim, now: Milliseconds): number => {
  const life = parseNillableDuration(claim.spec.expireAfter ?? 'Never')
  if (life === 'Never') return 1
  if (life <= 0) return 0
  const age = now - (parseTime(claim.metadata.creationTimestamp) ?? now)
  return Math.min(1, Math.max(0, (life - age) / life))
}
