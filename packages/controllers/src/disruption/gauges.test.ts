import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { MIDDLE, only } from '../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, launchNodes, patchPool } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

const start = harnessPerTest()

describe('gauges', () => {
  test('the number of eligible nodes is 0, and 1 when a node may be disrupted', async () => {
    const w = await start()
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
      only(MIDDLE),
    )
    const [busy] = await launchNodes(w, 2)
    await createPodOn(w, 'busy', busy?.node ?? '', { cpu: '500m' })
    await w.pass(11_000)
    const eligible = (reason: string) => w.metric('karpenter_voluntary_disruption_eligible_nodes', { reason })
    expect([await eligible('empty'), await eligible('drifted'), await eligible('underutilized')]).toEqual([0, 0, 0])
    await patchPool(w, 'general', {
      spec: { disruption: { consolidateAfter: '0s' }, template: { metadata: { labels: { team: 'a' } } } },
    })
    await w.pass(11_000)
    expect([await eligible('empty'), await eligible('drifted'), await eligible('underutilized')]).toEqual([1, 2, 1])
    for (const type of ['multi', 'single']) {
      const timeouts = { consolidation_type: type }
      expect(await w.metric('karpenter_voluntary_disruption_consolidation_timeouts_total', timeouts)).toBe(0)
    }
  })

  test('budgets and their use are reported without unmanaged nodes, and removed with the pool', async () => {
    const w = await start()
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '50%' }] } },
      only(MIDDLE),
    )
    const made = await launchNodes(w, 4)
    await w.admin.create(
      kinds.Node,
      node('stranger', { labels: { [labels.nodePool]: 'general' }, providerID: 'other://1' }),
    )
    await w.pass(11_000)
    const allowed = (reason: string) => w.metric('karpenter_nodepools_allowed_disruptions', { reason })
    const consuming = () => w.metric('karpenter_nodepools_nodes_consuming_budgets', { reason: 'Empty' })
    for (const reason of ['Empty', 'Drifted', 'Underutilized']) expect(await allowed(reason)).toBe(2)
    expect(await consuming()).toBe(0)
    // A budget that allows disruptions publishes no Event.
    expect(w.distinctMessages('DisruptionBlocked', 'general')).toEqual([])
    const { providerID = '' } = (await w.readClaim(made[0]?.claim ?? ''))?.status ?? {}
    w.kerf.state.markForDeletion(providerID)
    await w.pass(11_000)
    expect(await consuming()).toBe(1)
    expect(await allowed('Empty')).toBe(2)
    await w.patch(karpenterKinds.NodePool, 'general', { metadata: { finalizers: null } })
    await w.admin.delete(karpenterKinds.NodePool, { name: 'general' })
    await w.pass(11_000)
    expect(await w.metrics.text()).not.toContain('karpenter_nodepools_allowed_disruptions{nodepool="general"')
  })
})
