import { karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createInstantPodOn } from '../../testing/harness/index.ts'
import { withNode } from '../../testing/leaving-node.ts'
import { GradualDrains } from './gradual-drains.ts'

const pods = (count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, number) => pod(`p-${number}`, { metadata: { uid: `p-${number}` } }))

test('a quarter of the pods is evicted each second, even if the previous pods are not gone', () => {
  const drains = new GradualDrains()
  const all = pods(10)
  expect(drains.due('n', all, 0).length).toBe(3)
  expect(drains.due('n', all, 900).length).toBe(3)
  expect(drains.due('n', all.slice(3), 1_000).length).toBe(2)
  expect(drains.due('n', all.slice(1), 2_000).length).toBe(7)
  expect(drains.due('n', all, 3_000)).toEqual(all)
  expect(drains.due('n', pods(1), 0)).toEqual(pods(1))
})

test('the pods that fit in the fewest places are evicted first', () => {
  const bound = pod('bound', { metadata: { uid: 'bound' }, spec: { nodeSelector: { 'example.com/disk': 'fast' } } })
  expect(new GradualDrains().due('n', [...pods(3), bound], 0)).toEqual([bound])
})

test('each node has its own schedule, which starts again for a new node of the same name', () => {
  const drains = new GradualDrains()
  const all = pods(8)
  drains.due('a', all, 0)
  expect(drains.due('b', all, 3_000).length).toBe(2)
  drains.forget('a')
  expect(drains.due('a', all, 3_000).length).toBe(2)
})

test.each([
  ['Drifted', [2, 4, 6, 8]],
  ['Underutilized', [2, 4, 6, 8]],
  ['deleted by hand', [8, 8, 8, 8]],
] as const)(
  'the number of evicted pods after each second, out of eight, if the node is %s',
  async (reason, expected) => {
    const { harness, node, name } = await withNode()
    const claim = await harness.readClaim()
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    const conditions = [
      ...(claim?.status?.conditions ?? []),
      { type: 'DisruptionReason', status: 'True', reason, lastTransitionTime } as const,
    ]
    if (claim !== undefined && reason !== 'deleted by hand')
      await harness.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    for (let number = 0; number < 8; number++) await createInstantPodOn(harness, `web-${number}`, name)
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    const left: number[] = []
    for (let second = 0; second < 4; second++) {
      await harness.pass(second === 0 ? 500 : 1_000)
      left.push(8 - (await harness.podNames()).length)
    }
    expect(left).toEqual(expected)
    await harness.pass(8_000)
    expect(await harness.nodes()).toEqual([])
  },
)
