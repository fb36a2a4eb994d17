import { annotations } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import { createPodOn, type Harness, launchNodes, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const closed = closedWith(harnessPerTest())

describe('the wait for validation', () => {
  test.each([
    ['a do-not-disrupt pod arrives', { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }, 'churn'],
    ['pods arrive that fit nowhere else', { cpu: '2' }, 'scheduling'],
    [
      'a pod arrives that can run nowhere else',
      { cpu: '100m', spec: { nodeSelector: { home: 'here' } } },
      'scheduling',
    ],
  ])('%s: the command is dropped and reported', async (_name, traits, why) => {
    const w = await closed()
    const [one, two] = await launchNodes(w, 2)
    if (one === undefined || two === undefined) throw new Error()
    await createPodOn(w, 'a', one.node, { cpu: '1' })
    await createPodOn(w, 'b', two.node, { cpu: '2' })
    await w.pass(500)
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(10_500)
    await createPodOn(w, 'late', one.node, traits)
    await w.pass(12_000)
    expect((await w.staying()).length).toBe(2)
    const rejected = w.distinctMessages('ConsolidationRejected')
    expect(rejected.some((text) => text.includes(`reason: ${why}`))).toBe(true)
    expect(
      await w.metric('karpenter_voluntary_disruption_failed_validations_total', { consolidation_type: 'single' }),
    ).toBeGreaterThan(0)
  })
})

describe('a validation that fails', () => {
  const failed = (w: Harness, type: string) =>
    w.metric('karpenter_voluntary_disruption_failed_validations_total', { consolidation_type: type })

  test('drops a whole command for several nodes; a single node is then disrupted in the same pass', async () => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 3, '500m')
    await open(w)
    await w.pass(11_000)
    const guard = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
    await createPodOn(w, 'guard', made[0]?.node ?? '', { ...guard, cpu: '100m' })
    await w.pass(31_000)
    expect(await failed(w, 'multi')).toBe(2)
    const single = { decision: 'delete', reason: 'underutilized', consolidation_type: 'single' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', single)).toBe(1)
    expect((await w.staying()).length).toBe(2)
    for (const type of ['multi', 'single']) {
      const timed = { reason: 'underutilized', consolidation_type: type }
      const name = 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds_count'
      expect(await w.metric(name, timed)).toBeGreaterThan(0)
    }
    // Upstream does not publish this Event for commands with several nodes. Kerf does.
    expect(
      w.distinctMessages('ConsolidationRejected').some((text) => text.includes('(part of 2-node consolidation)')),
    ).toBe(true)
  })

  test.each([
    ['a budget that closes', 'budget'],
    ['a nomination', 'budget'],
  ])('%s is reported as %s, and the command is tried again even if nothing else changes', async (name, why) => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 2, '500m')
    const budgets = [{ nodes: '0', reasons: ['Empty'] }, { nodes: '1' }]
    await open(w, { budgets })
    await w.pass(11_000)
    if (name === 'a nomination') {
      for (const { claim } of made) w.kerf.state.expectPods((await w.readClaim(claim))?.status?.providerID ?? '')
    } else await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    await w.pass(15_000)
    expect(await failed(w, 'single')).toBe(1)
    expect(w.distinctMessages('ConsolidationRejected')[0]).toContain(`reason: ${why}`)
    if (name !== 'a nomination') await patchPool(w, 'general', { spec: { disruption: { budgets } } })
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })

  test.each([
    ['1', 1, 2, []],
    ['0', 0, 3, ['budget']],
  ] as const)(
    'if a budget drops to %s while empty nodes wait, %i are disrupted and %i are counted as failed',
    async (nodes, gone, count, why) => {
      const w = await closed({}, MIDDLE)
      await launchNodes(w, 3)
      await open(w, { budgets: [{ nodes: '100%' }] })
      await w.pass(11_000)
      await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes }] } } })
      await w.pass(15_000)
      expect(await failed(w, 'empty')).toBe(count)
      expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'empty' })).toBe(gone)
      const reported = w.distinctMessages('ConsolidationRejected').map((text) => /reason: (\w+)/.exec(text)?.[1])
      expect([...new Set(reported)]).toEqual(why)
    },
  )

  test.each([
    ['empty', 2, 'churn'],
    ['multi', 2, 'budget'],
    ['single', 1, 'budget'],
  ] as const)(
    'if pods are placed on the nodes meanwhile, %s counts %i failures, is reported as %s, and runs once no pods are expected',
    async (type, count, why) => {
      const w = await closed({}, MIDDLE)
      const made = type === 'empty' ? await launchNodes(w, 2) : await busy(w, count + 1, '500m')
      const budgets = [{ nodes: '0', reasons: ['Empty'] }, { nodes: String(count) }]
      await open(w, { budgets: type === 'empty' ? [{ nodes: '100%' }] : budgets })
      await w.pass(11_000)
      for (const { claim } of made) w.kerf.state.expectPods((await w.readClaim(claim))?.status?.providerID ?? '')
      await w.pass(15_000)
      expect(await failed(w, type)).toBe(count)
      expect(w.distinctMessages('ConsolidationRejected')[0]).toContain(`reason: ${why}`)
      expect(await w.metric('karpenter_voluntary_disruption_decisions_total')).toBe(0)
      await w.pass(60_000)
      const decided = { decision: 'delete', consolidation_type: type }
      expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decided)).toBe(1)
    },
  )
})
