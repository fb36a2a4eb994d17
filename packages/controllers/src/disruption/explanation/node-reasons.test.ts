import { annotations } from '@kerf/apis'
import { expect, test } from 'vitest'
import { MIDDLE, only } from '../../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, launchNodes, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

test('every node is counted under its blocker until the blocker is gone', async () => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
  const [guarded, ...others] = await launchNodes(w, 3)
  if (guarded === undefined) throw new Error()
  for (const { node } of others) await createPodOn(w, `on-${node}`, node, { cpu: '3' })
  await createPodOn(w, 'guard', guarded.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
  const counted = (reason: string) => w.metric('kerf_nodes_not_disrupted', { nodepool: 'general', reason })
  await w.pass(11_000)
  expect([await counted('pod.do-not-disrupt'), await counted('pool.consolidation-off')]).toEqual([1, 2])
  await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } } })
  await w.pass(11_000)
  expect([await counted('budget.exhausted'), await counted('pool.consolidation-off')]).toEqual([2, 0])
  await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '100%' }] } } })
  await w.pass(11_000)
  expect([await counted('candidate'), await counted('budget.exhausted')]).toEqual([2, 0])
  expect(await w.metric('kerf_nodes_not_disrupted')).toBe(3)
})
