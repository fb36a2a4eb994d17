import type { Pod } from '@kerf/apis'
import { propertyRuns, running } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { cluster, node, pod } from '../testing/cluster-builders.ts'
import { indexSnapshot, schedule } from '../testing/core-labels.ts'
import { afterPlan } from '../testing/in-flight.ts'
import { randomCluster } from '../testing/random-clusters.ts'

const planPlaces = (plan: Plan): ReadonlyMap<string, string> =>
  new Map(plan.placements.flatMap(({ node, pods }) => pods.map((pod) => [pod.metadata.uid ?? '', node])))

const agree = (snapshot: ClusterSnapshot, pods: readonly Pod[]) => {
  const first = schedule(snapshot, pods, { planBudget: 200_000 })
  const after = afterPlan(snapshot, first)
  const second = schedule(after, pods, { planBudget: 200_000 })
  const places = planPlaces(second)
  for (const [uid, claim] of after.plannedFor ?? []) expect([uid, places.get(uid)]).toEqual([uid, claim])
  return { first, second }
}

/**
 * Returns whether every pod that a spread constraint counts also has that constraint. If not, the result depends on the order in which pods
 * are placed: while several domains are possible for a claim, its pods are not counted in any of them.
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
    { numRuns: propertyRuns(300) },
  )
})

describe('planned pods', () => {
  const first = node('first', { cpu: '4', nodeClaim: 'claim-first' })
  const second = node('second', { cpu: '4', nodeClaim: 'claim-second' })
  const two = cluster().pool('general').nodes(first, second)
  const plannedFor = (...entries: readonly (readonly [Pod, string])[]) =>
    new Map(entries.map(([each, claim]) => [each.metadata.uid ?? '', claim]))

  test('go to their claim even if another node comes first, and large new pods do not displace them', () => {
    const small = pod('small', { cpu: '1' })
    const large = pod('large', { cpu: '3500m' })
    const there = two.with({ plannedFor: plannedFor([small, 'claim-second']) })
    expect(there.schedule(large, small).placements).toEqual({ first: ['large'], second: ['small'] })
    const full = two.with({ plannedFor: plannedFor([small, 'claim-first']) })
    expect(full.schedule(large, small).placements).toEqual({ first: ['small'], second: ['large'] })
  })

  test('go elsewhere if their capacity is used by others', () => {
    const taken = node('first', {
      cpu: '4',
      nodeClaim: 'claim-first',
      pods: [running('first', pod('other', { cpu: '3500m' }))],
    })
    const mine = pod('mine', { cpu: '1' })
    const there = cluster().pool('general').nodes(taken, second)
    expect(there.with({ plannedFor: plannedFor([mine, 'claim-first']) }).schedule(mine).placements).toEqual({
      second: ['mine'],
    })
  })

  test('are planned again if their claim is deleted or being deleted', () => {
    const mine = pod('mine')
    const going = cluster()
      .pool('general')
      .nodes({ ...first, markedForDeletion: true }, second)
    for (const claim of ['claim-first', 'claim-gone']) {
      const { placements } = going.with({ plannedFor: plannedFor([mine, claim]) }).schedule(mine)
      expect(placements).toEqual({ second: ['mine'] })
    }
  })

  test('stay in a what-if, unless it removes their node', () => {
    const mine = pod('mine')
    const index = indexSnapshot(two.with({ plannedFor: plannedFor([mine, 'claim-second']) }).snapshot, [mine], [])
    expect(index.whatIf([]).placements.map((each) => each.node)).toEqual(['second'])
    expect(index.whatIf(['second']).placements.map((each) => each.node)).toEqual(['first'])
  })
})
