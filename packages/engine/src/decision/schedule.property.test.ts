import { coreVocabulary, type Pod } from '@kerf/apis'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import type { Plan } from '../plan.ts'
import { buildProblem } from '../problem/problem.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { schedule } from '../testing/core-labels.ts'
import { randomCluster } from '../testing/random-clusters.ts'
import { type ReferencePlan, referenceSchedule } from '../testing/reference-schedule.ts'
import { buildPlan } from './schedule.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const comparable = (plan: Plan): ReferencePlan => ({
  claims: plan.claims
    .map(({ nodePool, pods, instanceTypes }) => ({
      pool: nodePool,
      pods: pods.map(({ metadata }) => metadata.name),
      types: [...instanceTypes].sort(byText),
    }))
    .sort((a, b) => byText(a.pods[0] ?? '', b.pods[0] ?? '')),
  placements: plan.placements
    .map(({ node, pods }) => ({ node, pods: pods.map(({ metadata }) => metadata.name) }))
    .sort((a, b) => byText(a.node, b.node)),
  unschedulable: plan.unschedulable.map(({ pod }) => pod.metadata.name).sort(byText),
})

const sorted = (plan: ReferencePlan): ReferencePlan => ({
  claims: plan.claims.toSorted((a, b) => byText(a.pods[0] ?? '', b.pods[0] ?? '')),
  placements: plan.placements.toSorted((a, b) => byText(a.node, b.node)),
  unschedulable: plan.unschedulable.toSorted(byText),
})

/** Returns the plan without the instance types of claims whose pools have limits. These types depend on all claims together. */
const withoutLimitedTypes = (plan: ReferencePlan, { pools }: ClusterSnapshot): ReferencePlan => {
  const limited = new Set(
    pools.flatMap(({ nodePool: { metadata, spec } }) => (spec.limits === undefined ? [] : metadata.name)),
  )
  return { ...plan, claims: plan.claims.map((claim) => (limited.has(claim.pool) ? { ...claim, types: [] } : claim)) }
}

const runs = propertyRuns(300)

/** Returns the result of the first packing. Skips the search that keeps pods with affinity together in order to place more pods. */
const firstPacking = (snapshot: ClusterSnapshot, pods: readonly Pod[], indexFrom?: number): ReferencePlan => {
  const problem = buildProblem(snapshot, pods, { vocabulary: coreVocabulary })
  const run = new Run(problem, undefined, { indexFrom })
  return comparable(buildPlan(run, run.solve(inQueueOrder(problem.table, problem.pods)), 0))
}

test('places every pod like the reference implementation', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const plan = firstPacking(snapshot, pods)
      expect(withoutLimitedTypes(plan, snapshot)).toEqual(
        withoutLimitedTypes(sorted(referenceSchedule(snapshot, pods)), snapshot),
      )
    }),
    { numRuns: runs },
  )
})

test('finds the same claims with an index and without', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      expect(firstPacking(snapshot, pods, 1)).toEqual(firstPacking(snapshot, pods))
    }),
    { numRuns: 3 * runs },
  )
})

test('leaves at most as many pods as the first packing, and replaces it only if it leaves fewer', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const first = firstPacking(snapshot, pods)
      const plan = comparable(schedule(snapshot, pods, { planBudget: 0 }))
      if (plan.unschedulable.length >= first.unschedulable.length) expect(plan).toEqual(first)
    }),
    { numRuns: runs },
  )
})

test('the plan does not depend on the order of pods, pools, types, nodes, labels and lists', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const turned = {
        ...snapshot,
        pools: snapshot.pools.toReversed().map(({ nodePool, instanceTypes }) => ({
          nodePool: { ...nodePool },
          instanceTypes: instanceTypes.toReversed().map((type) => ({
            ...type,
            offerings: type.offerings.toReversed(),
            requirements: type.requirements.toReversed(),
          })),
        })),
        nodes: snapshot.nodes.toReversed().map((node) => ({
          ...node,
          labels: Object.fromEntries(Object.entries(node.labels).toReversed()),
          pods: node.pods.toReversed(),
        })),
      }
      const options = { planBudget: 100_000 }
      const plan = comparable(schedule(snapshot, pods, options))
      expect(comparable(schedule(turned, pods.toReversed(), options))).toEqual(plan)
      expect(comparable(schedule(snapshot, pods, options))).toEqual(plan)
    }),
    { numRuns: runs },
  )
})

test('the improvement pass places the same pods on the same existing nodes and is never more expensive', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      const first = schedule(snapshot, pods, { planBudget: 0 })
      const improved = schedule(snapshot, pods, { planBudget: 500_000 })
      expect(improved.hourlyCost).toBeLessThanOrEqual(first.hourlyCost + 1e-9)
      expect(comparable(improved).unschedulable).toEqual(comparable(first).unschedulable)
      expect(comparable(improved).placements).toEqual(comparable(first).placements)
      const all = (plan: Plan) => plan.claims.flatMap((claim) => claim.pods.map(({ metadata }) => metadata.name)).sort()
      expect(all(improved)).toEqual(all(first))
    }),
    { numRuns: runs },
  )
})
