import { annotations, karpenterKinds, kinds, labels } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { describe, expect, test } from 'vitest'
import {
  busy,
  closedWith,
  LARGE,
  MIDDLE,
  NOT_EMPTY,
  only,
  open,
  SMALL,
  singleBlockers,
} from '../../testing/closed-pools.ts'
import {
  createDeployment,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
  scaleDeployment,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const closed = closedWith(start)

describe('several nodes', () => {
  test('three nodes are replaced by one cheaper node', async () => {
    const w = await closed()
    const made = await busy(w, 3, '1500m', { type: 'm-4x-amd64-linux' })
    await open(w)
    await w.pass(PASS)
    const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'multi' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'underutilized' })).toBe(3)
    const staying = await w.staying()
    expect(staying.length).toBe(1)
    expect(made.some(({ claim }) => staying.includes(claim))).toBe(false)
  })

  test.each([
    ['spot', ['spot', 'spot', 'spot']],
    ['mixed', ['spot', 'on-demand', 'spot']],
  ] as const)(
    'with spot-to-spot consolidation on, three %s nodes are replaced by one',
    async (_name, capacityTypes) => {
      const w = await closed({ gates: { SpotToSpotConsolidation: true } })
      for (const capacityType of capacityTypes) await busy(w, 1, '2500m', { type: 'm-4x-amd64-linux', capacityType })
      await open(w)
      await w.pass(PASS)
      const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'multi' }
      expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
      expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'underutilized' })).toBe(3)
      const [claim, ...more] = await w.claims()
      expect(more).toEqual([])
      expect(claim?.metadata.labels?.[labels.capacityType]).toBe('spot')
    },
  )

  test('two nodes of the same type are not replaced by a new node of that type; one of them is deleted instead', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 2, '1500m')
    await open(w)
    await w.pass(PASS)
    const decisions = (decision: string, type: string) =>
      w.metric('karpenter_voluntary_disruption_decisions_total', { decision, consolidation_type: type })
    expect(await decisions('replace', 'multi')).toBe(0)
    expect(await decisions('delete', 'single')).toBe(1)
  })

  test('several nodes are deleted at once, as far as the budget allows', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 6, '500m')
    await open(w, { budgets: [...NOT_EMPTY, { nodes: '3' }] })
    await w.pass(PASS)
    const decision = { decision: 'delete', reason: 'underutilized', consolidation_type: 'multi' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect((await w.staying()).length).toBe(3)
  })

  test('if terminating nodes that use up most of a budget are about to be gone, the next command waits for the whole budget', async () => {
    const w = await closed({}, MIDDLE)
    await launchNode(w, { type: MIDDLE })
    await busy(w, 6, '500m')
    await open(w, { budgets: [{ nodes: '3' }] })
    const decided = (type: string) =>
      w.metric('karpenter_voluntary_disruption_decisions_total', { decision: 'delete', consolidation_type: type })
    for (let look = 0; (await decided('multi')) === 0 && look < 200; look++) await w.pass(500)
    expect(await decided('empty')).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'underutilized' })).toBe(3)
  })

  /** Returns the times at which consolidation started its first `count` commands. */
  const beginnings = async (w: Harness, count: number): Promise<readonly number[]> => {
    const decided = () => w.metric('karpenter_voluntary_disruption_decisions_total', { reason: 'underutilized' })
    const times: number[] = []
    for (let look = 0; times.length < count && look < 600; look++) {
      await w.pass(250)
      if ((await decided()) > times.length) times.push(w.clock.monotonic())
    }
    return times
  }

  test('nodes that waited for the budget for as long as a validation takes need no further wait', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 12, '100m')
    await open(w, { budgets: [...NOT_EMPTY, { nodes: '3' }] })
    const [first = 0, second = 0, third = 0] = await beginnings(w, 3)
    // Each command starts as soon as the nodes of the previous command are gone, without waiting another fifteen seconds.
    expect(second - first).toBeLessThan(10_000)
    expect(third - second).toBeLessThan(10_000)
    expect(await w.metric('karpenter_voluntary_disruption_failed_validations_total')).toBe(0)
  })

  test.each(['1', '3'])(
    'in a Balanced pool each command waits fifteen seconds for its own validation (budget of %s)',
    async (nodes) => {
      const w = await closed({}, MIDDLE)
      await busy(w, 12, '100m')
      await open(w, { consolidationPolicy: 'Balanced', budgets: [...NOT_EMPTY, { nodes }] })
      const [first = 0, second = 0] = await beginnings(w, 2)
      expect(second - first).toBeGreaterThanOrEqual(14_500)
    },
  )

  test('a budget of 0 stops all methods, and a change of the budget is enough to resume them', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 3, '500m')
    await open(w, { budgets: [{ nodes: '0' }] })
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(3)
    expect(await w.metric('karpenter_nodepools_allowed_disruptions', { reason: 'Underutilized' })).toBe(0)
    // Every chosen command passed its validation.
    expect(await w.metric('karpenter_voluntary_disruption_failed_validations_total')).toBe(0)
    const made = (await w.claims())[0]?.status?.nodeName ?? ''
    expect(await singleBlockers(w, made)).toMatchObject([{ code: 'budget.exhausted', allowed: 0, budgets: [0] }])
    await open(w)
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })

  // `docs/spec/disruption.md#budgets`
  test('a budget with a schedule applies exactly until its window ends', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 2, '500m')
    // The virtual clock starts at midnight UTC, so the window of this budget is open for an hour.
    await open(w, { budgets: [{ nodes: '0', schedule: '@daily', duration: '1h' }, ...NOT_EMPTY] })
    const midnight = Date.UTC(2026, 0, 1)
    await w.clock.runUntil(midnight + 3_600_000 - 1_000)
    expect((await w.staying()).length).toBe(2)
    const node = (await w.claims())[0]?.status?.nodeName ?? ''
    expect(await singleBlockers(w, node)).toMatchObject([{ code: 'budget.exhausted', opensAt: midnight + 3_600_000 }])
    await w.pass(40_000)
    expect((await w.staying()).length).toBe(1)
  })
})

describe('other rules of consolidation', () => {
  test('the node with the highest savings per disruption is disrupted first', async () => {
    const w = await closed()
    const [cheap] = await busy(w, 1, '500m', { type: SMALL })
    const [dear] = await busy(w, 1, '500m', { type: LARGE })
    await busy(w, 1, '500m', { type: MIDDLE })
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(27_000)
    expect(await w.isStaying(dear ?? { claim: '', node: '' })).toBe(false)
    expect(await w.isStaying(cheap ?? { claim: '', node: '' })).toBe(true)
  })

  test('required anti-affinity keeps pods on different nodes', async () => {
    const w = await closed({}, MIDDLE)
    const made = await launchNodes(w, 2)
    const antiAffinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: labels.hostname },
        ],
      },
    }
    for (const { node, claim } of made) {
      await createPodOn(w, `on-${claim}`, node, {
        metadata: { labels: { app: 'x' } },
        spec: { affinity: antiAffinity },
      })
    }
    await open(w)
    await w.pass(60_000)
    expect(await w.staying()).toEqual(made.map(({ claim }) => claim).sort())
  })

  test('pods that arrive during consolidation do not cause an additional node', async () => {
    const w = await closed({ registrationDelay: '20s' })
    await launchNodes(w, 1, { type: LARGE })
    await createDeployment(w, 'web', 1, '400m')
    await w.pass(5_000)
    await open(w)
    await w.pass(30_000)
    await scaleDeployment(w, 'web', 2)
    await w.pass(180_000)
    expect((await w.staying()).length).toBe(1)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ status }) => status?.phase === 'Running').length).toBe(2)
  })

  test('a node that was launched for the pods of a terminating node is kept for them', async () => {
    const w = await closed({}, MIDDLE)
    await launchNodes(w, 1)
    await createDeployment(w, 'web', 1, '3')
    await w.pass(5_000)
    // The budget allows no eviction while there is only one replica.
    await createPodDisruptionBudget(w, 'last', { selector: { matchLabels: { app: 'web' } }, minAvailable: 1 })
    const [old = ''] = await w.staying()
    await open(w, { budgets: [{ nodes: '100%' }] })
    await w.admin.delete(karpenterKinds.NodeClaim, { name: old })
    await w.pass(5 * 60_000)
    const staying = await w.staying()
    expect([staying.length, staying.includes(old)]).toEqual([1, false])
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'provisioned' })).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total')).toBe(0)
  })

  test('a move is not started if it works only when kube-scheduler puts each pod on the planned node', async () => {
    const w = await closed({}, MIDDLE, LARGE)
    const [big] = await launchNodes(w, 1, { type: LARGE })
    const [other] = await busy(w, 1, '2700m', { type: MIDDLE })
    await w.patch(kinds.Node, other?.node ?? '', { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
    // The small pods fit on the other node, and the large pod fits on a new node. However, the large pod no longer fits on the new node if
    // kube-scheduler places the small pods there first.
    for (const [name, cpu] of [
      ['large', '3200m'],
      ['small-1', '500m'],
      ['small-2', '500m'],
    ] as const) {
      await createPodOn(w, name, big?.node ?? '', { cpu })
    }
    await open(w)
    await w.pass(60_000)
    expect(await w.isStaying(big ?? { claim: '', node: '' })).toBe(true)
    expect(await singleBlockers(w, big?.node ?? '')).toEqual([{ code: 'replacements.uncertain', type: MIDDLE }])
    await w.admin.delete(kinds.Pod, { name: 'small-2', namespace: 'default' })
    await w.pass(60_000)
    expect(await w.isStaying(big ?? { claim: '', node: '' })).toBe(false)
  })

  test('static pools are never consolidated', async () => {
    const w = await start({ gates: { StaticCapacity: true } })
    await createDisruptablePool(w, 'fixed', { replicas: 2 }, only(MIDDLE))
    await w.pass(10_000)
    const made = await w.claims()
    for (const { metadata, status } of made) {
      await createPodOn(w, `on-${metadata.name}`, status?.nodeName ?? '', { cpu: '500m' })
    }
    await w.pass(60_000)
    expect(await w.staying()).toEqual(made.map(({ metadata }) => metadata.name).sort())
  })
})

test('the search for several nodes runs again as soon as a NodePool that could not launch becomes Ready', async () => {
  const w = await closed()
  await busy(w, 3, '1500m', { type: 'm-4x-amd64-linux' })
  const setReady = async (status: 'True' | 'False'): Promise<void> => {
    const ready = { type: 'Ready', status, reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
    await w.patch(kwokNodeClassKind, 'default', { status: { conditions: [ready] } }, 'status')
  }
  await setReady('False')
  await w.pass(500)
  await open(w)
  await w.pass(PASS)
  expect((await w.staying()).length).toBe(3)
  await setReady('True')
  await w.pass(PASS)
  const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'multi' }
  expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
  expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'underutilized' })).toBe(3)
})
