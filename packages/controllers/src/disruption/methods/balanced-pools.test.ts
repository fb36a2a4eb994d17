import { annotations, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { LARGE, MIDDLE, NOT_EMPTY, only, SMALL } from '../../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, type Harness, launchNode, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const signal = new AbortController().signal

const closed = async (...types: readonly string[]): Promise<Harness> => {
  const w = await start()
  const disruption = { consolidateAfter: 'Never', consolidationPolicy: 'Balanced' } as const
  await createDisruptablePool(w, 'general', { disruption }, only(...types))
  return w
}
const open = (w: Harness, budgets: readonly object[] = NOT_EMPTY) =>
  patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s', budgets } } })

const busy = async (w: Harness, type: string, pods: number, cpu: string) => {
  const made = await launchNode(w, { type })
  for (let index = 0; index < pods; index++) await createPodOn(w, `${made.claim}-${index}`, made.node, { cpu })
  await w.pass(300)
  return made
}

describe('Balanced pools, from the search to the deletion', () => {
  test('an oversized node is replaced, and an Event publishes the score of the move', async () => {
    const w = await closed(SMALL, 'c-16x-amd64-linux')
    const big = await busy(w, 'c-16x-amd64-linux', 1, '1')
    await open(w)
    await w.pass(PASS)
    expect(await w.isStaying(big)).toBe(false)
    expect(w.distinctMessages('ConsolidationApproved', big.node)[0]).toMatch(
      /^score \d+\.\d\d >= threshold 0\.50 \(k: 2, savings \d+\.\d%, disruption \d+\.\d%\)$/,
    )
    const labelsOfMove = { decision: 'approved', nodepool: 'general', policy: 'balanced' }
    expect(await w.metric('karpenter_consolidation_moves_total', labelsOfMove)).toBeGreaterThan(0)
    expect(await w.metric('karpenter_consolidation_score_count', labelsOfMove)).toBeGreaterThan(0)
  })

  test.each([
    ['are also candidates', {}],
    ['may not be disrupted', { [annotations.doNotDisrupt]: 'true' }],
  ])(
    'a full node with many pods is kept, because its savings are small compared to other nodes, which %s',
    async (_, marks) => {
      const w = await closed(SMALL, MIDDLE, LARGE)
      // The replacement of this node would save little, and the node has twelve pods. The other nodes are expensive and have few pods.
      const packed = await busy(w, MIDDLE, 12, '150m')
      for (let index = 0; index < 4; index++) {
        const neighbour = await busy(w, LARGE, 1, '7500m')
        await w.patch(kinds.Node, neighbour.node, { metadata: { annotations: marks } })
      }
      await open(w)
      await w.pass(PASS)
      expect(await w.isStaying(packed)).toBe(true)
      const found = await w.kerf.explainNode(packed.node, signal)
      const single = found?.methods.find(({ method }) => method === 'single-node')
      expect(single?.blockers).toMatchObject([{ code: 'score.too-low', pool: 'general', threshold: 0.5 }])
      expect(w.distinctMessages('ConsolidationApproved', packed.node)).toEqual([])
    },
  )

  test.each([
    ['WhenEmptyOrUnderutilized', false],
    ['Balanced', true],
  ] as const)(
    'under %s, if moving four pods saves half the price of their node, the node is kept: %s',
    async (policy, isKept) => {
      const w = await closed(MIDDLE, LARGE)
      const busyOne = await busy(w, LARGE, 4, '600m')
      for (let index = 0; index < 4; index++) await busy(w, LARGE, 1, '7500m')
      await patchPool(w, 'general', { spec: { disruption: { consolidationPolicy: policy } } })
      await open(w)
      await w.pass(PASS)
      expect(await w.isStaying(busyOne)).toBe(isKept)
      // Without a replacement, deleting the node would save enough to justify moving its pods.
      const found = await w.kerf.explainNode(busyOne.node, signal).catch(() => undefined)
      const single = found?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []
      if (isKept) expect(single).toMatchObject([{ code: 'score.too-low', threshold: 0.5 }])
      expect(w.distinctMessages('ConsolidationApproved')).toEqual([])
    },
  )

  test('several nodes with many pods are not consolidated together; the rejection is counted but publishes no Event', async () => {
    const w = await closed(MIDDLE, LARGE)
    const packed = [await busy(w, LARGE, 12, '100m'), await busy(w, LARGE, 12, '100m')]
    for (let index = 0; index < 4; index++) await busy(w, LARGE, 1, '7500m')
    await open(w)
    await w.pass(PASS)
    for (const each of packed) expect(await w.isStaying(each)).toBe(true)
    const rejected = { decision: 'rejected', nodepool: 'general', policy: 'balanced' }
    expect(await w.metric('karpenter_consolidation_moves_total', rejected)).toBeGreaterThan(0)
    expect(w.distinctMessages('ConsolidationApproved')).toEqual([])
  })

  test('the only node of a pool may be disrupted if its pods fit elsewhere', async () => {
    const w = await closed(MIDDLE)
    await createDisruptablePool(w, 'other', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    const lone = await busy(w, MIDDLE, 3, '200m')
    await launchNode(w, { pool: 'other' })
    await open(w)
    await w.pass(PASS)
    expect(await w.isStaying(lone)).toBe(false)
  })

  test('several small nodes are disrupted together; a budget of 0% blocks', async () => {
    const w = await closed(MIDDLE)
    const made = [await busy(w, MIDDLE, 1, '500m'), await busy(w, MIDDLE, 1, '500m'), await busy(w, MIDDLE, 1, '500m')]
    await open(w, [{ nodes: '0%' }])
    await w.pass(PASS)
    expect((await w.staying()).length).toBe(3)
    await open(w)
    await w.pass(PASS)
    expect((await w.staying()).length).toBe(1)
    const multi = { decision: 'delete', reason: 'underutilized', consolidation_type: 'multi' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', multi)).toBe(1)
    expect(w.distinctMessages('ConsolidationApproved', 'general').length).toBe(1)
    expect(made.length).toBe(3)
  })

  test('empty nodes are not scored, and a small budget is spent on them before nodes in use', async () => {
    const w = await closed(MIDDLE)
    const one = await busy(w, MIDDLE, 1, '500m')
    const two = await busy(w, MIDDLE, 1, '500m')
    const empty = await launchNode(w, { type: MIDDLE })
    await open(w, [{ nodes: '1' }])
    // A pass takes at most ten seconds, and validation takes fifteen. The loop ends before the next pass, which considers the busy nodes.
    for (let look = 0; (await w.isStaying(empty)) && look < 50; look++) await w.pass(500)
    expect(await w.isStaying(empty)).toBe(false)
    expect(await w.isStaying(one)).toBe(true)
    expect(await w.isStaying(two)).toBe(true)
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', { reason: 'underutilized' })).toBe(0)
    // The next pass considers the two busy nodes while the empty node is deleted.
    expect(await w.metric('karpenter_consolidation_moves_total')).toBeLessThanOrEqual(2)
  })
})
