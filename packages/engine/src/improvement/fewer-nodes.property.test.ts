import type { Pod } from '@kerf/apis'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { schedule } from '../testing/core-labels.ts'
import { randomMarket } from '../testing/random-batches.ts'

const runs = propertyRuns(150)

interface Batch {
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
}

/** Batches in which plans with different numbers of nodes cost nearly the same, because prices are nearly proportional to size. */
const nearlyLinear = (replicasEach: number): fc.Arbitrary<Batch> =>
  fc
    .record({
      factors: fc.array(fc.integer({ min: 98, max: 103 }), { minLength: 5, maxLength: 5 }),
      cpus: fc.uniqueArray(fc.integer({ min: 3, max: 30 }), { minLength: 3, maxLength: 5 }),
    })
    .map(({ factors, cpus }) => ({
      snapshot: cluster().pool('general', {
        types: factors.map((factor, i) => instanceType(`t-${i}`, 2 ** i, `${2 ** (i + 2)}Gi`, 0.001 * factor * 2 ** i)),
        requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
      }).snapshot,
      pods: cpus.flatMap((cpu, i) => replicas(replicasEach + i, `app-${i}`, { cpu: `${100 * cpu}m` })),
    }))

const launched = (plan: Plan): readonly string[] =>
  plan.claims.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)).sort()

const anyShare = fc.constantFrom(0.005, 0.01, 0.03)

/**
 * Compares two plans: the first may cost `share` more in order to have fewer nodes, the second may not. Returns whether the first has fewer
 * nodes.
 */
const checkShare = ({ snapshot, pods }: Batch, share: number, planBudget: number): boolean => {
  const without = schedule(snapshot, pods, { planBudget, fewerNodesCostShare: 0 })
  const plan = schedule(snapshot, pods, { planBudget, fewerNodesCostShare: share })
  expect(plan.hourlyCost).toBeLessThanOrEqual(without.hourlyCost * (1 + share) + 1e-9)
  expect(plan.claims.length).toBeLessThanOrEqual(without.claims.length)
  if (plan.claims.length === without.claims.length) expect(plan.claims).toEqual(without.claims)
  expect(launched(plan)).toEqual(launched(without))
  expect(plan.placements).toEqual(without.placements)
  expect(plan.unschedulable).toEqual(without.unschedulable)
  return plan.claims.length < without.claims.length
}

test.each<[string, fc.Arbitrary<Batch>, number]>([
  ['small batches', nearlyLinear(3), 500_000],
  ['batches that are too large for the exact search', nearlyLinear(110), 100_000],
])('fewer nodes cost at most the allowed share more than the plan without that share: %s', (_, batches, planBudget) => {
  let fewer = 0
  fc.assert(
    fc.property(batches, anyShare, (batch, share) => {
      if (checkShare(batch, share, planBudget)) fewer++
    }),
    { numRuns: runs },
  )
  expect(fewer).toBeGreaterThan(runs / 20)
})

test('the same holds with all constraints', () => {
  fc.assert(
    fc.property(randomMarket, anyShare, (batch, share) => {
      checkShare(batch, share, 500_000)
    }),
    { numRuns: runs },
  )
})
