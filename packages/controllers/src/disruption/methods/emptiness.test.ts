import { annotations, karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import {
  createDaemonSetOn,
  createDisruptablePool,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

/** Creates empty nodes in a pool whose settings do not allow Kerf to disrupt them yet. */
const emptyNodes = async (w: Harness, count: number, pool = 'general') => {
  await createDisruptablePool(w, pool, { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] } })
  return await launchNodes(w, count, { pool })
}
const open = (w: Harness, disruption: object, pool = 'general') =>
  patchPool(w, pool, { spec: { disruption: { consolidateAfter: '0s', ...disruption } } })

describe('emptiness', () => {
  test.each([
    ['100%', 10],
    ['0%', 0],
    ['30%', 3],
    ['2', 2],
  ])('with a budget of %s, %i of ten nodes are disrupted at a time', async (nodes, expected) => {
    const w = await start()
    await emptyNodes(w, 10)
    await open(w, { budgets: [{ nodes }] })
    await w.pass(10_000 + 15_000 + 500)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'empty', nodepool: 'general' })).toBe(
      expected,
    )
    expect((await w.staying()).length).toBe(10 - expected)
    if (expected === 0) {
      expect(w.distinctMessages('DisruptionBlocked', 'general')).toContain(
        'No allowed disruptions for disruption reason Empty due to blocking budget',
      )
    }
  })

  test('budgets apply per pool: one command takes two nodes from each of three pools', async () => {
    const w = await start()
    const pools = ['a', 'b', 'c']
    for (const pool of pools) await emptyNodes(w, 3, pool)
    for (const pool of pools) await open(w, { budgets: [{ nodes: '2' }] }, pool)
    await w.pass(25_500)
    for (const nodepool of pools) {
      expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'empty', nodepool })).toBe(2)
      expect(await w.metric('karpenter_voluntary_disruption_decisions_by_nodepool_total', { nodepool })).toBe(1)
    }
    const decision = { decision: 'delete', reason: 'empty', consolidation_type: 'empty' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
  })

  test('after 15 s the node is tainted, gets the reason, and is deleted and reported', async () => {
    const w = await start()
    const [made] = await emptyNodes(w, 1)
    if (made === undefined) throw new Error('no node')
    await open(w, {})
    await w.pass(14_000)
    expect(await w.isStaying(made)).toBe(true)
    await w.pass(16_000)
    expect(await w.readClaim(made.claim)).toBeUndefined()
    const decision = { decision: 'delete', reason: 'empty', consolidation_type: 'empty' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    const inPool = { ...decision, nodepool: 'general' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_by_nodepool_total', inPool)).toBe(1)
    expect(w.distinctMessages('DisruptionTerminating', made.node)).toEqual(['Disrupting Node: Empty'])
    expect(w.distinctMessages('DisruptionTerminating', made.claim)).toEqual(['Disrupting NodeClaim: Empty'])
    const series = {
      reason: 'empty',
      consolidation_policy: 'when_empty_or_underutilized',
      termination_mode: 'graceful',
    }
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', series)).toBe(1)
  })

  test('a node with do-not-disrupt "true" is kept, and a node with "false" is deleted', async () => {
    const w = await start()
    const [kept, taken] = await emptyNodes(w, 2)
    if (kept === undefined || taken === undefined) throw new Error('no nodes')
    await w.patch(kinds.Node, kept.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
    await w.patch(kinds.Node, taken.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } } })
    await open(w, {})
    await w.pass(PASS)
    expect(await w.staying()).toEqual([kept.claim])
    expect(w.distinctMessages('DisruptionBlocked', kept.node)).toEqual([
      'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    ])
  })

  test('a node with a pod is not empty; daemon pods and terminating pods do not count, except terminating StatefulSet pods', async () => {
    const w = await start()
    const made = await emptyNodes(w, 4)
    const [busy, daemons, leaving, stateful] = made
    if (busy === undefined || daemons === undefined || leaving === undefined || stateful === undefined)
      throw new Error()
    const owner = (kind: string) => [{ apiVersion: 'apps/v1', kind, name: 'x', uid: `uid-${kind}`, controller: true }]
    const keep = { finalizers: ['test/keep'] }
    await createPodOn(w, 'busy', busy.node, { metadata: keep })
    await createDaemonSetOn(w, 'daemon', daemons)
    await createPodOn(w, 'leaving', leaving.node, { metadata: { ownerReferences: owner('ReplicaSet'), ...keep } })
    await createPodOn(w, 'stateful', stateful.node, { metadata: { ownerReferences: owner('StatefulSet'), ...keep } })
    for (const name of ['leaving', 'stateful']) await w.admin.delete(kinds.Pod, { name, namespace: 'default' })
    await patchPool(w, 'general', { spec: { disruption: { consolidationPolicy: 'WhenEmpty' } } })
    await open(w, {})
    await w.pass(PASS)
    const staying = await w.staying()
    expect(staying).toContain(busy.claim)
    expect(staying).toContain(stateful.claim)
    expect(staying).not.toContain(daemons.claim)
    expect(staying).not.toContain(leaving.claim)
  })

  test('a node with a pod whose eviction costs nothing still counts as empty', async () => {
    const w = await start()
    const [made] = await emptyNodes(w, 1)
    if (made === undefined) throw new Error()
    await createPodOn(w, 'cheap', made.node, {
      metadata: { annotations: { [annotations.podDeletionCost]: '-2147483648' } },
    })
    await open(w, { consolidationPolicy: 'WhenEmpty' })
    await w.pass(PASS)
    expect(await w.isStaying(made)).toBe(false)
  })

  test('if a pod arrives during the wait, its node is kept and the other nodes are deleted', async () => {
    const w = await start()
    const [one, two] = await emptyNodes(w, 2)
    if (one === undefined || two === undefined) throw new Error()
    await open(w, {})
    await w.pass(11_000)
    await createPodOn(w, 'late', one.node)
    await w.pass(15_000)
    expect(await w.staying()).toEqual([one.claim])
    expect(
      await w.metric('karpenter_voluntary_disruption_failed_validations_total', { consolidation_type: 'empty' }),
    ).toBe(1)
  })

  test('nodes are Consolidatable only after consolidateAfter', async () => {
    const w = await start()
    await emptyNodes(w, 1)
    await open(w, { consolidateAfter: '10m' })
    await w.pass(300_000)
    const [claim = '', ...more] = await w.staying()
    expect([claim === '', more]).toEqual([false, []])
    expect(await w.condition('Consolidatable', claim)).toBeUndefined()
    await w.pass(330_000)
    expect(await w.staying()).toEqual([])
  })

  test('nodes of static pools are never disrupted as empty', async () => {
    const w = await start({ gates: { StaticCapacity: true } })
    await createDisruptablePool(
      w,
      'fixed',
      { replicas: 2 },
      {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-4x-amd64-linux'] }],
          expireAfter: 'Never',
        },
      },
    )
    await w.pass(120_000)
    const staying = await w.staying()
    expect(staying.length).toBe(2)
    for (const claim of staying) {
      expect(await w.condition('Initialized', claim)).toBe('True Initialized')
      expect(await w.condition('Consolidatable', claim)).toBeUndefined()
    }
    expect(await w.metric('karpenter_nodeclaims_disrupted_total')).toBe(0)
  })

  test('a drifted empty node is disrupted as Empty, or as Drifted if consolidation is off', async () => {
    const w = await start()
    await emptyNodes(w, 2)
    await patchPool(w, 'general', { spec: { template: { metadata: { labels: { team: 'a' } } } } })
    await open(w, {})
    await w.pass(PASS)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'empty' })).toBe(2)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' })).toBe(0)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] } } })
    const one = await launchNode(w)
    await patchPool(w, 'general', { spec: { template: { metadata: { labels: { team: 'b' } } } } })
    await w.pass(12_000)
    expect(await w.isStaying(one)).toBe(false)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' })).toBe(1)
  })

  test('if Consolidatable is removed, the node stays', async () => {
    const w = await start()
    await emptyNodes(w, 1)
    await w.pass(60_000)
    const [claim = ''] = await w.staying()
    expect(await w.condition('Consolidatable', claim)).toBeUndefined()
    expect((await w.admin.get(karpenterKinds.NodeClaim, { name: claim })).metadata.deletionTimestamp).toBeUndefined()
    expect(w.distinctMessages('Unconsolidatable')).toEqual(['NodePool "general" has consolidation disabled'])
  })
})
