import { running } from '@kerf/testing'
import { expect, test } from 'vitest'
import { cluster, node, pod } from '../testing/cluster-builders.ts'
import { indexSnapshot, schedule } from '../testing/core-labels.ts'

/** Returns nodes that fill three regions. Only the listed nodes have capacity for a pod with one CPU. */
const crowded = (free: readonly number[]) =>
  cluster().nodes(
    ...Array.from({ length: 700 }, (_, number) =>
      node(`n-${String(number).padStart(3, '0')}`, { cpu: free.includes(number) ? '1' : '500m' }),
    ),
  ).snapshot

const asks = (name: string) => pod(name, { cpu: '1' })

test.each([[[0]], [[255]], [[256]], [[511, 600]], [[699]]])(
  'a pod goes to the first of 700 nodes that has enough capacity, if these are %j',
  (free) => {
    const plan = schedule(crowded(free), [asks('a')])
    expect(plan.placements.map((each) => each.node)).toEqual([`n-${String(free[0]).padStart(3, '0')}`])
  },
)

test('if a node is full, the search continues with later nodes', () => {
  const plan = schedule(crowded([3, 300]), [asks('a'), asks('b'), asks('c')])
  expect(plan.placements.map((each) => each.node)).toEqual(['n-003', 'n-300'])
  expect(plan.unschedulable).toHaveLength(1)
})

test('what-ifs about 700 nodes find the first node with enough capacity, independent of earlier what-ifs', () => {
  const { snapshot } = cluster().nodes(
    ...Array.from({ length: 700 }, (_, number) => {
      const name = `n-${String(number).padStart(3, '0')}`
      const pods = number < 2 ? [running(name, pod(`p-${number}`, { cpu: '1' }))] : []
      return node(name, { cpu: [0, 1, 300, 699].includes(number) ? '1' : '500m', pods })
    }),
  )
  const index = indexSnapshot(
    snapshot,
    [],
    snapshot.nodes.map(({ pods }) => pods),
  )
  const placesWithout = (...gone: readonly string[]) => index.whatIf(gone).placements.map((each) => each.node)
  expect(placesWithout('n-000')).toEqual(['n-300'])
  expect(placesWithout('n-000', 'n-001')).toEqual(['n-300', 'n-699'])
  expect(placesWithout('n-000', 'n-300')).toEqual(['n-699'])
  expect(placesWithout('n-001', 'n-300', 'n-699')).toEqual([])
  expect(placesWithout('n-001')).toEqual(['n-300'])
})
