import { annotations } from '@kerf/apis'
import { expect, test } from 'vitest'
import { MIDDLE, only } from '../../testing/closed-pools.ts'
import { worldPerTest } from '../../testing/world-per-test.ts'

const start = worldPerTest()

test('every node is counted under what keeps it, and no longer when that is gone', async () => {
  const w = await start()
  await w.pool('general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
  const [guarded, ...others] = await w.nodes(3)
  if (guarded === undefined) throw new Error()
  for (const { node } of others) await w.pod(`on-${node}`, node, { cpu: '3' })
  await w.pod('guard', guarded.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
  const counted = (reason: string) => w.metric('kerf_nodes_not_disrupted', { nodepool: 'general', reason })
  await w.pass(11_000)
  expect([await counted('pod.do-not-disrupt'), await counted('pool.consolidation-off')]).toEqual([1, 2])
  await w.patchPool('general', { spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } } })
  await w.pass(11_000)
  expect([await counted('budget.exhausted'), await counted('pool.consolidation-off')]).toEqual([2, 0])
  await w.patchPool('general', { spec: { disruption: { budgets: [{ nodes: '100%' }] } } })
  await w.pass(11_000)
  expect([await counted('candidate'), await counted('budget.exhausted')]).toEqual([2, 0])
  expect(await w.metric('kerf_nodes_not_disrupted')).toBe(3)
})
