import type { Plan } from '../plan.ts'

/** Whether a plan uses a commitment and may still be worse than one that uses none. */
export const mayGainWithoutCommitments = ({ claims, unschedulable }: Plan): boolean =>
  claims.some(({ commitment }) => commitment !== undefined) && (claims.length > 1 || unschedulable.length > 0)

/**
 * Returns the better of two plans for the same pods: the one that places more pods, then the one that costs less. So a decision with
 * commitments never costs more than one without (`docs/spec/policies.md#commitments`).
 */
export const cheaperPlan = (withCommitments: Plan, without: Plan): Plan => {
  const more = withCommitments.unschedulable.length - without.unschedulable.length
  if (more !== 0) return more > 0 ? without : withCommitments
  const unpriced = withCommitments.unpricedClaims - without.unpricedClaims
  if (unpriced !== 0) return unpriced > 0 ? without : withCommitments
  return without.hourlyCost < withCommitments.hourlyCost ? without : withCommitments
}
