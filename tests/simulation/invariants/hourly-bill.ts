import { labels, type NodeClaim, policyKinds } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { PLAN_FACTOR } from '../runs/commitments.ts'

/** Returns the part of the on-demand prices that the ClusterPolicy's savings plans cover, in dollars per hour. */
export const coveredByPlans = (environment: Pick<Environment, 'list'>): number => {
  const [policy] = environment.list(policyKinds.ClusterPolicy)
  const committed = (policy?.spec.commitments ?? []).map(({ prepaid }) => Number(prepaid?.committedUsdPerHour ?? 0))
  return committed.reduce((sum, each) => sum + each, 0) / PLAN_FACTOR
}

/**
 * Returns the cloud's charges for these claims in addition to savings plans, in dollars per hour. Returns undefined if the price of a claim
 * is unknown, for example because it has no instance yet.
 */
export const hourlyBill = (
  environment: Pick<Environment, 'list' | 'priceOf'>,
  claims: readonly NodeClaim[],
): number | undefined => {
  let onDemand = 0
  let others = 0
  for (const claim of claims) {
    const price = environment.priceOf(claim)
    if (price === undefined) return undefined
    if (claim.metadata.labels?.[labels.capacityType] === 'on-demand') onDemand += price
    else others += price
  }
  return others + Math.max(0, onDemand - coveredByPlans(environment))
}
