import { awayFrom, propertyRuns, running } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '../plan.ts'
import { cluster, HOST, node, pod, replicas } from '../testing/cluster-builders.ts'
import { indexSnapshot, indexSnapshotInSteps, schedule } from '../testing/core-labels.ts'
import { randomCluster } from '../testing/random-clusters.ts'

const text = (plan: Plan): unknown => ({
  claims: plan.claims.map(({ nodePool, pods, instanceTypes }) => [
    nodePool,
    pods.map(({ metadata }) => metadata.name),
    instanceTypes,
  ]),
  placements: plan.placements.map((each) => [each.node, each.pods.map(({ metadata }) => metadata.name)]),
  failed: plan.unschedulable.map((each) => each.pod.metadata.name).sort(),
})

test('returns where the pods of a node would go', () => {
  const pods = replicas(3, 'web', { spec: awayFrom(HOST, 'web') }).map((each, i) => running(`n-${i}`, each))
  const nodes = pods.map((each, i) => node(`n-${i}`, { pods: [each] }))
  const { snapshot } = cluster()
    .pool('general')
    .nodes(...nodes, node('n-3'))
  const index = indexSnapshot(snapshot, [], [pods])
  expect(text(index.whatIf(['n-1']))).toEqual({ claims: [], placements: [['n-3', ['web-1']]], failed: [] })
  expect(index.whatIf(['n-1', 'n-3']).claims).toHaveLength(1)
  expect(text(index.whatIf([]))).toEqual({ claims: [], placements: [], failed: [] })
  expect(text(index.whatIf(['nobody']))).toEqual({ claims: [], placements: [], failed: [] })
})

test('pending pods are placed in every plan', () => {
  const { snapshot } = cluster().nodes(node('n'), node('o'))
  const index = indexSnapshot(snapshot, [pod('waiting')], [])
  expect(index.whatIf(['n']).placements.map((each) => each.node)).toEqual(['o'])
})

test('plans equal those for a snapshot without the nodes, and do not affect one another', () => {
  fc.assert(
    fc.property(
      randomCluster,
      fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
      ({ snapshot, pods }, picked) => {
        const gone = picked.flatMap((i) => snapshot.nodes[i] ?? []).filter((each) => !each.markedForDeletion)
        const mayLeave = snapshot.nodes.map((each) => each.pods)
        const index = indexSnapshot(snapshot, pods, mayLeave)
        const names = gone.map(({ name }) => name)
        const first = text(index.whatIf(names))
        index.whatIf(snapshot.nodes.map(({ name }) => name))
        expect(text(index.whatIf(names))).toEqual(first)
        // The full decision that corresponds to the what-if: the nodes are being deleted, and their pods are in the batch.
        const deleting = {
          ...snapshot,
          nodes: snapshot.nodes.map((each) =>
            names.includes(each.name) ? { ...each, markedForDeletion: true } : each,
          ),
        }
        const batch = [...pods, ...gone.flatMap((each) => each.pods)]
        expect(first).toEqual(text(schedule(deleting, batch, { planBudget: 0 })))
      },
    ),
    { numRuns: propertyRuns(400) },
  )
})

test('a plan stops at the first claim beyond the maximum and says so; other plans are complete', () => {
  fc.assert(
    fc.property(
      randomCluster,
      fc.subarray([0, 1, 2]),
      fc.integer({ min: 0, max: 3 }),
      ({ snapshot, pods }, picked, most) => {
        const mayLeave = snapshot.nodes.map((each) => each.pods)
        const index = indexSnapshot(snapshot, pods, mayLeave)
        const names = picked.flatMap((i) => snapshot.nodes[i]?.name ?? [])
        const whole = index.whatIf(names)
        const answer = index.whatIf(names, { mostClaims: most })
        if (answer.isLeftOff !== true) expect(text(answer)).toEqual(text(whole))
        // If no instance type is left for a claim when the plan is finished, the full plan lacks this claim, and the claim's pods are
        // unschedulable.
        else expect(whole.claims.length > most || whole.unschedulable.length > 0).toBe(true)
        expect(whole.claims.length <= most || answer.isLeftOff === true).toBe(true)
        expect(text(index.whatIf(names))).toEqual(text(whole))
      },
    ),
    { numRuns: propertyRuns(400) },
  )
})

test('plans for growing and shrinking sets of nodes equal those for each set alone', () => {
  const nodes = Array.from({ length: 40 }, (_, number) =>
    node(`n-${number}`, {
      pods: replicas(2 + (number % 3), `web-${number}`, { cpu: `${1 + (number % 4)}00m` }).map((each) =>
        running(`n-${number}`, each),
      ),
    }),
  )
  const { snapshot } = cluster()
    .pool('general')
    .nodes(...nodes, node('free'))
  const waiting = replicas(3, 'waiting', { cpu: '200m' })
  const mayLeave = nodes.map(({ pods }) => pods)
  fc.assert(
    fc.property(fc.array(fc.subarray(nodes), { minLength: 1, maxLength: 12 }), (sets) => {
      const index = indexSnapshot(snapshot, waiting, mayLeave)
      for (const set of sets) {
        for (const size of [set.length, set.length - 1, Math.ceil(set.length / 2), set.length]) {
          const names = set.slice(0, size).map(({ name }) => name)
          const alone = indexSnapshot(snapshot, waiting, mayLeave)
          expect(text(index.whatIf(names))).toEqual(text(alone.whatIf(names)))
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('a large snapshot is read in steps, and other decisions may be made in between', () => {
  const pods = Array.from({ length: 1_400 }, (_, i) =>
    running(
      `n-${Math.floor(i / 2)}`,
      pod(`web-${i}`, { cpu: '1', labels: { app: 'web', nth: `${i}` }, spec: awayFrom(HOST, 'web') }),
    ),
  )
  const nodes = Array.from({ length: 700 }, (_, i) => node(`n-${i}`, { pods: pods.slice(2 * i, 2 * i + 2) }))
  const { snapshot } = cluster()
    .pool('general')
    .nodes(...nodes, node('free'))
  const other = cluster().pool('general').nodes(node('other')).snapshot
  const steps = indexSnapshotInSteps(snapshot, [], [pods])
  let count = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) {
      expect(text(value.whatIf(['n-3']))).toEqual(text(indexSnapshot(snapshot, [], [pods]).whatIf(['n-3'])))
      break
    }
    count++
    expect(schedule(other, replicas(3, 'api')).unschedulable).toEqual([])
  }
  // The steps: 2 of 250 nodes; 1 of 1,000 pods; 1 of 1,000 groups whose topology groups are created; 2 for nodes with anti-affinity, and 2
  // to count their pods; 1 of 1,000 groups that may be counted; 5 for tables that are created at once.
  expect(count).toBe(2 + 1 + 1 + 2 + 2 + 1 + 5)
})
