import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import { schedule } from '../testing/core-labels.ts'
import { afterPlan } from '../testing/in-flight.ts'
import { randomBatch } from '../testing/random-batches.ts'

const runs = propertyRuns(300)

const launched = (plan: Plan): readonly string[] =>
  plan.claims.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)).sort()

test('one more type or offering never makes the plan more expensive, except for the half percent that a plan with fewer nodes may cost', () => {
  let compared = 0
  fc.assert(
    fc.property(randomBatch, ({ fewer, more, pods }) => {
      const before = schedule(fewer, pods)
      const after = schedule(more, pods)
      // With more instance types, a plan may place more pods, and so cost more. So only plans that place the same pods are compared.
      if (`${launched(before)}` !== `${launched(after)}`) return
      compared++
      expect(after.hourlyCost).toBeLessThanOrEqual(before.hourlyCost * (1.005 + 1e-6))
    }),
    { numRuns: runs },
  )
  expect(compared).toBeGreaterThan(runs / 2)
})

test('a decision about the state after a plan changes nothing', () => {
  fc.assert(
    fc.property(randomBatch, ({ more, pods }) => {
      const plan = schedule(more, pods)
      const next = schedule(afterPlan(more, plan), pods)
      expect(next.claims).toEqual([])
      expect(next.unschedulable.map(({ pod }) => pod.metadata.name)).toEqual(
        plan.unschedulable.map(({ pod }) => pod.metadata.name),
      )
    }),
    { numRuns: runs },
  )
})
