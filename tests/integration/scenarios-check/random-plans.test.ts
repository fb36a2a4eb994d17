import type { Pod } from '@kerf/apis'
import { type ClusterSnapshot, type Plan, reasonSentence } from '@kerf/engine'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planDocument } from '../../../packages/cli/src/plan/plan-document.ts'
import { schedule } from '../../../packages/engine/src/testing/core-labels.ts'
import { randomMarket } from '../../../packages/engine/src/testing/random-batches.ts'
import type { Problem } from './documents.ts'
import { pricedPlan } from './priced-plan.ts'
import { harnessOfSnapshot } from './random-harness.ts'
import { validatePlan } from './validate-plan.ts'

const runs = propertyRuns(300)

/**
 * Returns the problems of a plan. Does not report that another offering would be cheaper: a preferred affinity may keep a pod in its zone,
 * and the NodeClaim does not show this.
 */
const brokenIn = (snapshot: ClusterSnapshot, pods: readonly Pod[], plan: Plan): readonly Problem[] =>
  validatePlan(harnessOfSnapshot(snapshot, pods), pricedPlan(planDocument(plan, reasonSentence))).filter(
    ({ code }) => code !== 'claim.cheapest' && code !== 'claim.order',
  )

/**
 * Returns whether every pod that a topology spread counts has that spread itself. A pod without the spread may run in any domain that its
 * node may have, and the plan does not decide which. So if there is such a pod, the same plan may satisfy the spread or break it.
 */
const spreadsAreMutual = (pods: readonly Pod[]): boolean =>
  pods.every(({ spec }) =>
    (spec.topologySpreadConstraints ?? []).every((constraint) =>
      pods
        .filter(({ metadata }) => metadata.labels?.['app'] === constraint.labelSelector?.matchLabels?.['app'])
        .every((counted) =>
          counted.spec.topologySpreadConstraints?.some((own) => JSON.stringify(own) === JSON.stringify(constraint)),
        ),
    ),
  )

test('the improvement pass breaks no constraint of random clusters', () => {
  let improved = 0
  fc.assert(
    fc.property(randomMarket, fc.constantFrom(0.005, 0.2), ({ snapshot, pods }, fewerNodesCostShare) => {
      fc.pre(spreadsAreMutual(pods))
      const first = schedule(snapshot, pods, { planBudget: 0 })
      // With upstream's order of placing pods, a few first plans break a constraint. The improvement pass must preserve what the first plan
      // satisfies, so those plans are skipped.
      fc.pre(brokenIn(snapshot, pods, first).length === 0)
      const plan = schedule(snapshot, pods, { fewerNodesCostShare })
      if (plan.hourlyCost < first.hourlyCost) improved++
      expect(brokenIn(snapshot, pods, plan)).toEqual([])
    }),
    { numRuns: runs },
  )
  expect(improved).toBeGreaterThan(runs / 25)
})
