import { sumOfPrices } from '@kerf/engine'
import { bySavingsRatio, type Candidate, isEmpty } from '../candidates/candidate.ts'
import { emptinessBlockers, isDrifted } from './eligibility-checks.ts'
import type { DisruptionMethod } from './method.ts'

/** Deletes all nodes without reschedulable pods in one command, as far as budgets allow (`docs/spec/disruption.md#emptiness`). */
export const emptiness: DisruptionMethod = {
  name: 'emptiness',
  reason: 'Empty',
  class: 'graceful',
  consolidationType: 'empty',
  validation: 'each-node',
  searches: 'after-change',
  eligibility: emptinessBlockers,
  search: async ({ candidates, budgets }) => {
    const chosen: Candidate[] = candidates.toSorted(bySavingsRatio).filter(({ poolName }) => budgets.take(poolName))
    if (chosen.length === 0) return []
    const savings = sumOfPrices(chosen)
    return [
      {
        ...{ method: 'emptiness', reason: 'Empty', consolidationType: 'empty', replacements: [], placements: [] },
        ...{ candidates: chosen, savings },
      },
    ]
  },
  explanation: {
    title: 'emptiness',
    isFor: (candidate) => candidate.isAsleep !== true && !isDrifted(candidate) && isEmpty(candidate),
    found: () => 'disruptable',
  },
}
