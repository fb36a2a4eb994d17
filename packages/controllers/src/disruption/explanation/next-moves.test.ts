import { annotations, labels } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { NextResponse } from '../../controller-api/reported-next.ts'
import { createDisruptablePool, createPodOn, launchNode, launchNodes, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const { signal } = new AbortController()
const template = {
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [{ key: labels.instanceType, operator: 'In' as const, values: ['c-4x-amd64-linux'] }],
  },
}
type Harness = Awaited<ReturnType<typeof start>>
const next = async (w: Harness): Promise<NextResponse> =>
  JSON.parse(JSON.stringify(await w.kerf.respond('/kerf/v1/next', signal))) as NextResponse

test('a drifted node waits for its pool’s budget; a running command is listed with its nodes', async () => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, template)
  const { node, claim } = await launchNode(w)
  await createPodOn(w, 'a', node, { cpu: '500m' })
  const freeze = [{ nodes: '0' }]
  await patchPool(w, 'general', {
    spec: { disruption: { budgets: freeze }, template: { metadata: { labels: { team: 'b' } } } },
  })
  await w.pass(30_000)
  const before = await next(w)
  expect(before.started).toEqual([])
  expect(before.awaited).toMatchObject([
    {
      node,
      nodeClaim: claim,
      nodePool: 'general',
      reason: 'Drifted',
      blocker: { code: 'budget.exhausted', allowed: 0 },
    },
  ])
  await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '100%' }] } } })
  let started: NextResponse['started'] = []
  for (let step = 0; step < 300 && started.length === 0; step++) {
    await w.pass(100)
    started = (await next(w)).started
  }
  expect(started).toMatchObject([{ method: 'drift', reason: 'Drifted', nodes: [node], nodeClaims: [claim] }])
})

test('a consolidatable node first waits for consolidateAfter, then for a budget, and its savings are listed', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '1h', budgets: [{ nodes: '0' }] } },
    template,
  )
  const [one, two] = await launchNodes(w, 2)
  if (one === undefined || two === undefined) throw new Error()
  await createPodOn(w, 'one', one.node, { cpu: '500m' })
  await createPodOn(w, 'two', two.node, { cpu: '500m' })
  await w.pass(30_000)
  const waiting = (await next(w)).awaited
  expect(waiting.map(({ reason, blocker }) => [reason, blocker?.code])).toEqual([
    ['Underutilized', 'node.not-consolidatable'],
    ['Underutilized', 'node.not-consolidatable'],
  ])
  expect(waiting[0]?.blocker).toMatchObject({ until: expect.any(Number) })
  await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
  await w.pass(20_000)
  const held = (await next(w)).awaited
  expect(held.length).toBeGreaterThan(0)
  for (const { reason, blocker, savings } of held) {
    expect([reason, blocker?.code]).toEqual(['Underutilized', 'budget.exhausted'])
    expect(savings).toBeGreaterThan(0)
  }
})

test('the savings of an empty node are its price', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } },
    template,
  )
  const { node } = await launchNode(w)
  await w.pass(30_000)
  const price = (await w.kerf.explainNode(node, signal))?.price ?? 0
  expect(price).toBeGreaterThan(0)
  expect((await next(w)).awaited).toMatchObject([{ node, reason: 'Empty', savings: price }])
})

test('nodes of a NodePool in observe mode are not listed', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '1h', budgets: [{ nodes: '0' }] } },
    template,
  )
  await launchNodes(w, 2)
  await w.pass(30_000)
  expect((await next(w)).awaited).toHaveLength(2)
  await patchPool(w, 'general', { metadata: { annotations: { [annotations.mode]: 'observe' } } })
  await w.pass(30_000)
  expect((await next(w)).awaited).toEqual([])
})
