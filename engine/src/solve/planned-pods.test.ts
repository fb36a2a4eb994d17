import type { Pod } from '@kerf/apis'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import { afterPlan } from '../reference/in-flight.ts'
import { randomCluster } from '../reference/random-clusters.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { schedule } from './schedule.ts'

const placesOf = (plan: Plan): ReadonlyMap<string, string> =>
  new Map(plan.placements.flatMap(({ node, pods }) => pods.map((pod) => [pod.metadata.uid ?? '', node])))

const agree = (snapshot: ClusterSnapshot, pods: readonly Pod[]) => {
  const first = schedule(snapshot, pods, { planBudget: 200_000 })
  const after = afterPlan(snapshot, first)
  const second = schedule(after, pods, { planBudget: 200_000 })
  const places = placesOf(second)
  for (const [uid, claim] of after.plannedFor ?? []) expect([uid, places.get(uid)]).toEqual([uid, claim])
  return { first, second }
}

/**
 * Whether each spread constraint is that of all pods it counts. Otherwise the order of placing pods decides whether it is
 * kept, a claim whose domain is open counts nothing yet, and the plan hangs on what kube-scheduler looks at first.
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

test('pods stay on the claims that they were planned for', () => {
  fc.assert(
    fc.property(randomCluster, ({ snapshot, pods }) => {
      fc.pre(spreadsAreMutual(pods))
      const { first, second } = agree(snapshot, pods)
      if (first.unschedulable.length === 0) expect(second.claims).toEqual([])
    }),
    { numRuns: Number(process.env['KERF_PROPERTY_RUNS'] ?? 300) },
  )
})
