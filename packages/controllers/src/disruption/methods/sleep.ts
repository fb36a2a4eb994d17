import { sumOfPrices } from '@kerf/engine'
import { bySavingsRatio } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionMethod } from './method.ts'

/**
 * Deletes the nodes of sleeping NodePools as far as budgets allow, one command per node (`docs/spec/policies.md#sleep`). Launches no
 * replacements: the pods move to nodes of other NodePools, or wait until the NodePool wakes.
 */
export const sleep: DisruptionMethod = {
  name: 'sleep',
  reason: 'Asleep',
  class: 'graceful',
  consolidationType: '',
  validation: 'none',
  searches: 'every-pass',
  eligibility: ({ isAsleep, poolName }) => (isAsleep === true ? [] : [{ code: 'pool.awake', pool: poolName }]),
  search: async ({ candidates, budgets }) =>
    candidates
      .toSorted(bySavingsRatio)
      .filter(({ poolName }) => budgets.take(poolName))
      .map(
        (candidate): Command => ({
          method: 'sleep',
          reason: 'Asleep',
          consolidationType: '',
          candidates: [candidate],
          replacements: [],
          placements: [],
          savings: sumOfPrices([candidate]),
        }),
      ),
  explanation: {
    title: 'sleep',
    isFor: ({ isAsleep }) => isAsleep === true,
    found: () => 'disruptable',
  },
}
