import type { Plan } from '../plan.ts'

/** Returns whether a plan uses a commitment, so that a plan without commitments could be better. */
export const mayGainWithoutCommitments = ({ claims, unschedulable }: Plan): boolean =>
  claims.some(({ commitment }) => commitment !== undefined) && (claims.length > 1 || unschedulable.length > 0)

/**
 * Returns the better of two plans for the same pods. A plan that places more pods is better. If both place the same number of pods, the
 * cheaper plan is better. Because of this choice, commitments never make a decision more expensive (`docs/spec/policies.md#commitments`).
 */
export const cheaperPlan = (withCommitments: Plan, without: Plan): Plan => {
  const more = withCommitments.unschedulable.length - without.unschedulable.length
  if (more !== 0) return more > 0 ? without : withCommitments
  const unpriced = withCommitments.unpricedClaims - without.unpricedClaims
  if (unpriced !== 0) return unpriced > 0 ? without : withCommitments
  return without.hourlyCost < withCommitments.hourlyCost ? without : withCommitments
}
