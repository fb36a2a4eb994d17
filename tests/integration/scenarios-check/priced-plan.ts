import type { PlanDocument as PrintedPlan } from '../../../packages/cli/src/plan/plan-document.ts'
import type { PlanDocument } from './documents.ts'

/** Returns the printed plan with its prices. Every instance type in the scenarios has a price. Throws if a NodeClaim has none. */
export const pricedPlan = (plan: PrintedPlan): PlanDocument => ({
  ...plan,
  nodeClaims: plan.nodeClaims.map((claim) => {
    const { price } = claim.cheapest
    if (price === undefined) throw new Error(`the plan does not know the price of ${claim.cheapest.instanceType}`)
    return { ...claim, cheapest: { ...claim.cheapest, price } }
  }),
})
