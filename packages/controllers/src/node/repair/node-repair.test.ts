import { annotations, type KubeObject, karpenterKinds, kinds, labels, type Node } from '@kerf/apis'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
  type RunningNode,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { findUnhealthyCondition, isBreakerOpen } from './node-repair.ts'
import { SicknessRecord } from './sickness-record.ts'

const start = harnessPerTest()
const policies = [
  { conditionType: 'Bad', conditionStatus: 'True', toleration: 600_000 },
  { conditionType: 'Worse', conditionStatus: 'True', toleration: 60_000 },
] as const

const node = (...conditions: readonly (readonly [string, string, string])[]): Node =>
  buildNode('n', {
    status: {
      conditions: conditions.map(([type, status, lastTransitionTime]) => ({
        type,
        status: status as 'True' | 'False' | 'Unknown',
        lastTransitionTime,
      })),
    },
  })
const SINCE = '2026-01-01T00:00:00Z'

// `docs/spec/node-repair.md#repair`
describe('the rules of node repair', () => {
  test('the unhealthy condition whose toleration ends first determines the repair', () => {
    expect(findUnhealthyCondition(node(), policies)).toBeUndefined()
    expect(findUnhealthyCondition(node(['Bad', 'False', SINCE]), policies)).toBeUndefined()
    const both = node(['Bad', 'True', SINCE], ['Worse', 'True', SINCE])
    expect(findUnhealthyCondition(both, policies)).toMatchObject({
      condition: { type: 'Worse' },
      until: Date.parse(SINCE) + 60_000,
    })
    const older = node(['Bad', 'True', '2025-12-31T23:00:00Z'], ['Worse', 'True', SINCE])
    expect(findUnhealthyCondition(older, policies)?.condition.type).toBe('Bad')
  })

  test.each([
    [1, 1, false],
    [5, 1, false],
    [5, 2, true],
    [6, 2, false],
    [10, 2, false],
    [10, 3, true],
    [11, 3, false],
  ])('with %i nodes, %i of them unhealthy, the breaker is open: %s', (count, sick, open) => {
    const nodes = Array.from({ length: count }, (_, index) => (index < sick ? node(['Bad', 'True', SINCE]) : node()))
    expect(isBreakerOpen(nodes, policies)).toBe(open)
  })
})

// `docs/spec/time.md#clocks-of-others`
describe('the time since when a node is unhealthy', () => {
  const at = Date.parse(SINCE)
  const bad = (named: number) => ({ type: 'Bad', status: 'True', lastTransitionTime: new Date(named).toISOString() })

  test('comes from its kubelet, and is limited by what Kerf has observed', () => {
    const record = new SicknessRecord()
    expect(record.begun('a', bad(at - 900_000), at)).toBe(at - 900_000)
    record.healthy('a', at + 5_000)
    expect(record.begun('a', bad(at - 900_000), at + 8_000), 'a clock that is late').toBe(at + 5_000)
    expect(record.begun('b', bad(at + 900_000), at), 'a clock that is ahead').toBe(at)
    expect(record.begun('b', bad(at + 900_000), at + 60_000)).toBe(at)
    expect(record.begun('b', bad(at + 990_000), at + 60_000), 'another change').toBe(at + 60_000)
    record.forget('a')
    expect(record.begun('a', bad(at - 900_000), at + 9_000)).toBe(at - 900_000)
  })
})

describe('an unhealthy node', () => {
  /** Creates nodes in a cluster whose provider tolerates the Bad condition for ten minutes. */
  const ward = async (count: number): Promise<{ w: Harness; made: readonly RunningNode[] }> => {
    const w = await start({
      gates: { NodeRepair: true },
      provider: (kwok) => ({
        name: kwok.name,
        nodeClasses: kwok.nodeClasses,
        vocabulary: kwok.vocabulary,
        repairPolicies: [{ conditionType: 'Bad', conditionStatus: 'True', toleration: 600_000 }],
        create: (claim, signal) => kwok.create(claim, signal),
        delete: (claim, signal) => kwok.delete(claim, signal),
        get: (id, signal) => kwok.get(id, signal),
        list: (signal) => kwok.list(signal),
        isDrifted: async () => undefined,
        controllers: () => kwok.controllers(),
        instanceTypes: (pool, signal) => kwok.instanceTypes(pool, signal),
      }),
    })
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } })
    return { w, made: await launchNodes(w, count) }
  }
  const sicken = async (w: Harness, { node: name }: RunningNode, status: 'True' | 'False' = 'True') => {
    const found = await w.readNode(name)
    const others = (found.status?.conditions ?? []).filter(({ type }) => type !== 'Bad')
    const lastTransitionTime = new Date(w.clock.now()).toISOString()
    const condition = { type: 'Bad', status, lastTransitionTime, reason: 'Test', message: '' }
    await w.patch(kinds.Node, name, { status: { conditions: [...others, condition] } }, 'status')
    await w.pass(200)
  }

  test('is repaired after the toleration despite budgets, do-not-disrupt and PDBs, and its deadline is set to now', async () => {
    const { w, made } = await ward(2)
    const [sick] = made
    if (sick === undefined) throw new Error()
    await createPodOn(w, 'guarded', sick.node, {
      metadata: { labels: { app: 'x' }, annotations: { [annotations.doNotDisrupt]: 'true' } },
    })
    await createPodDisruptionBudget(w, 'strict', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
    await sicken(w, sick)
    await w.pass(595_000)
    expect(await w.isStaying(sick)).toBe(true)
    await w.pass(6_000)
    expect(await w.isStaying(sick)).toBe(false)
    await w.pass(60_000)
    expect(await w.readClaim(sick.claim)).toBeUndefined()
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'unhealthy' })).toBe(1)
    const series = { condition: 'bad', nodepool: 'general', capacity_type: 'on-demand' }
    expect(await w.metric('karpenter_nodeclaims_unhealthy_disrupted_total', series)).toBe(1)
  })

  test('is not repaired if it recovers, and its time starts again when it becomes unhealthy again', async () => {
    const { w, made } = await ward(2)
    const [sick] = made
    if (sick === undefined) throw new Error()
    await sicken(w, sick)
    await w.pass(500_000)
    await sicken(w, sick, 'False')
    await w.pass(60_000)
    await sicken(w, sick)
    await w.pass(500_000)
    expect(await w.isStaying(sick)).toBe(true)
    await w.pass(110_000)
    expect(await w.isStaying(sick)).toBe(false)
  })

  test('is not repaired while too many nodes are unhealthy, which is reported, and is repaired when there are fewer', async () => {
    const { w, made } = await ward(5)
    const [one, two] = made
    if (one === undefined || two === undefined) throw new Error()
    await sicken(w, one)
    await sicken(w, two)
    await w.pass(610_000)
    expect((await w.staying()).length).toBe(5)
    expect(w.distinctMessages('NodeRepairBlocked', one.node)).toEqual([
      'more than 20% nodes are unhealthy in the nodepool',
    ])
    await sicken(w, two, 'False')
    await w.pass(310_000)
    expect(await w.isStaying(one)).toBe(false)
    expect(await w.isStaying(two)).toBe(true)
  })

  test('counts against all nodes of the cluster if its claim has no pool', async () => {
    const { w, made } = await ward(4)
    const [other] = made
    if (other === undefined) throw new Error()
    const [alone] = await launchNodes(w, 1, { metadata: { labels: { [labels.nodePool]: '' } } })
    if (alone === undefined) throw new Error()
    for (const [kind, name] of [
      [karpenterKinds.NodeClaim, alone.claim],
      [kinds.Node, alone.node],
    ] as const) {
      await w.patch<KubeObject>(kind, name, { metadata: { labels: { [labels.nodePool]: null } } })
    }
    await sicken(w, alone)
    await sicken(w, other)
    await w.pass(610_000)
    expect(await w.isStaying(alone)).toBe(true)
    // Upstream's message also has the typo "then".
    expect(w.distinctMessages('NodeRepairBlocked', alone.node)).toEqual([
      'more then 20% nodes are unhealthy in the cluster',
    ])
    // The other node is the only node of its pool, so Kerf has repaired it.
    await w.pass(310_000)
    expect(await w.isStaying(other)).toBe(false)
    expect(await w.isStaying(alone)).toBe(false)
  })

  test('gets an earlier deadline if its claim is already being deleted', async () => {
    const { w } = await ward(2)
    const sick = await launchNode(w, { spec: { terminationGracePeriod: '1h' } })
    await createPodOn(w, 'guarded', sick.node, {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'true' }, finalizers: ['test/keep'] },
    })
    await w.admin.delete(karpenterKinds.NodeClaim, { name: sick.claim })
    await sicken(w, sick)
    await w.pass(605_000)
    const claim = await w.readClaim(sick.claim)
    const deadline = claim?.metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline)).toBeLessThanOrEqual(w.clock.now())
  })

  test.each([
    ['is now, whatever the terminationGracePeriod', undefined],
    ['stays unchanged if it has already passed', '2025-12-31T00:00:00Z'],
  ])('has a deadline that %s', async (_name, before) => {
    const { w } = await ward(2)
    const sick = await launchNode(w, { spec: { terminationGracePeriod: '1h' } })
    await createPodOn(w, 'guarded', sick.node, { metadata: { finalizers: ['test/keep'] } })
    if (before !== undefined) {
      const annotated = { metadata: { annotations: { [annotations.terminationTimestamp]: before } } }
      await w.patch(karpenterKinds.NodeClaim, sick.claim, annotated)
    }
    await sicken(w, sick)
    await w.pass(605_000)
    const claim = await w.readClaim(sick.claim)
    expect(claim?.metadata.deletionTimestamp).toBeDefined()
    const deadline = claim?.metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    if (before !== undefined) expect(deadline).toBe(before)
    else expect(w.clock.now() - Date.parse(deadline)).toBeLessThan(10_000)
    expect(Date.parse(deadline)).toBeLessThanOrEqual(w.clock.now())
  })

  test('is not repaired without the feature gate, because the controller does not exist', async () => {
    const w = await start()
    expect(w.kerf.controllers).not.toContain('node.health')
    expect(w.kerf.controllers).toContain('disruption')
  })
})
