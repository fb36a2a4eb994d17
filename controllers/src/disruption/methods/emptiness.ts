import { bySavingsRatio, type Candidate } from '../candidates/candidate.ts'
import type { Validator } from '../execution/validation.ts'
import { type Method, Stamp } from './method.ts'

/** Deletes nodes without pods that matter, all of them in one command, as far as budgets go (3.5). */
export const emptiness = (validator: Pick<Validator, 'validate'>): Method => {
  const stamp = new Stamp()
  return {
    name: 'emptiness',
    reason: 'Empty',
    class: 'graceful',
    type: 'empty',
    isValidated: true,
    compute: async (candidates, round, budgets, signal) => {
      const { slots } = budgets
      if (stamp.isCurrent(round, candidates, slots)) return []
      const chosen: Candidate[] = candidates.toSorted(bySavingsRatio).filter(({ poolName }) => budgets.take(poolName))
      if (chosen.length === 0) {
        stamp.set(round, candidates, slots)
        return []
      }
      const savings = chosen.reduce((sum, { price }) => sum + price, 0)
      const base = { method: 'emptiness', reason: 'Empty', type: 'empty', replacements: [], placements: [] } as const
      const valid = await validator.validate({ ...base, candidates: chosen, savings }, signal)
      return valid === undefined ? [] : [valid]
    },
  }
}
