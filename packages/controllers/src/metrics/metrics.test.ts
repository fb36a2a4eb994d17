import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bindPod, createPendingPods, createPool, Harness, makeNodesReady } from '../testing/harness/index.ts'

let harness: Harness
beforeEach(async () => {
  harness = await Harness.create()
})
afterEach(() => harness.stop())

/** Returns the series of a metric family as lines of the form `{labels} value`. */
const series = async (family: string): Promise<readonly string[]> =>
  (await harness.metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`${family}{`) || line.startsWith(`${family} `))

const setReady = async (name: string): Promise<void> => {
  const time = new Date(harness.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const conditions = ['PodScheduled', 'Ready'].map((type) => ({ type, status: 'True', lastTransitionTime: time }))
  await harness.admin.patch(
    kinds.Pod,
    { name, namespace: 'default' },
    { type: 'merge', body: { status: { phase: 'Running', startTime: time, conditions } } },
    { subresource: 'status' },
  )
}

const launched = async (): Promise<string> => {
  await createPool(harness, 'general', { limits: { cpu: '100', memory: '200Gi' } })
  const pods = await createPendingPods(harness, 2, { requests: { cpu: '1', memory: '1Gi' } })
  await harness.pass(10_000)
  await makeNodesReady(harness)
  const node = (await harness.claims())[0]?.status?.nodeName
  if (node === undefined) throw new Error('no node came up')
  for (const pod of pods) await bindPod(harness, pod, node)
  return node
}

describe('nodes', () => {
  test('have series for capacity and requests, which disappear with the node', async () => {
    const node = await launched()
    await harness.pass(6_000)
    const [requests] = (await series('karpenter_nodes_total_pod_requests')).filter((line) => line.includes('"cpu"'))
    expect(requests).toContain(`node_name="${node}"`)
    expect(requests).toContain('nodepool="general"')
    expect(requests).toContain('managed="true"')
    expect(requests).toMatch(/ 2$/)
    expect((await series('karpenter_nodes_allocatable')).length).toBeGreaterThan(2)
    expect(await series('karpenter_nodes_current_lifetime_seconds')).toHaveLength(1)
    const [utilization] = (await series('karpenter_cluster_utilization_percent')).filter((line) =>
      line.includes('"cpu"'),
    )
    expect(Number(utilization?.split(' ').at(-1))).toBeGreaterThan(10)

    await harness.admin.patch(kinds.Node, { name: node }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await harness.admin.delete(kinds.Node, { name: node })
    await harness.pass(6_000)
    expect(await series('karpenter_nodes_total_pod_requests')).toEqual([])
    expect(await series('karpenter_nodes_current_lifetime_seconds')).toEqual([])
  })
})

describe('nodepools', () => {
  test('have series for limits, usage and cost', async () => {
    await launched()
    await harness.pass(15_000)
    expect(await series('karpenter_nodepools_limit')).toEqual([
      'karpenter_nodepools_limit{resource_type="cpu",nodepool="general"} 100',
      'karpenter_nodepools_limit{resource_type="memory",nodepool="general"} 214748364800',
    ])
    expect(await series('karpenter_nodepools_usage')).toContain(
      'karpenter_nodepools_usage{resource_type="nodes",nodepool="general"} 1',
    )
    const [cost] = await series('karpenter_nodepools_cost_total')
    expect(Number(cost?.split(' ').at(-1))).toBeGreaterThan(0)
    expect((await harness.readPool()).status?.nodes).toBe(1)

    const withoutMemory = { spec: { limits: { memory: null } } }
    await harness.admin.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: withoutMemory })
    await harness.pass(15_000)
    expect(await series('karpenter_nodepools_limit')).toEqual([
      'karpenter_nodepools_limit{resource_type="cpu",nodepool="general"} 100',
    ])

    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'general' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    )
    await harness.admin.delete(karpenterKinds.NodePool, { name: 'general' })
    await harness.pass(15_000)
    for (const family of ['limit', 'usage', 'cost_total'])
      expect(await series(`karpenter_nodepools_${family}`)).toEqual([])
  })
})

describe('pods', () => {
  test('have series for their state and waiting times', async () => {
    await createPool(harness)
    const [pod] = await createPendingPods(harness, 1)
    await harness.pass(3_000)
    expect(await series('karpenter_pods_unbound_time_seconds')).toHaveLength(1)
    await harness.pass(7_000)
    const node = (await harness.claims())[0]?.status?.nodeName
    if (pod === undefined || node === undefined) throw new Error('no node came up')
    await bindPod(harness, pod, node)
    await setReady('pod-0')
    await harness.pass(1_000)
    const [state] = await series('karpenter_pods_state')
    for (const part of [
      `node="${node}"`,
      'scheduled="true"',
      'nodepool="general"',
      'ready="true"',
      'phase="Running"',
    ]) {
      expect(state).toContain(part)
    }
    expect(await series('karpenter_pods_unbound_time_seconds')).toEqual([])
    expect(await series('karpenter_pods_unstarted_time_seconds')).toEqual([])
    expect(await series('karpenter_pods_bound_duration_seconds_count')).toEqual([
      'karpenter_pods_bound_duration_seconds_count 1',
    ])
    expect(await series('karpenter_pods_provisioning_startup_duration_seconds_count')).toEqual([
      'karpenter_pods_provisioning_startup_duration_seconds_count 1',
    ])
    expect(await series('karpenter_pods_scheduling_decision_duration_seconds_count')).toEqual([
      'karpenter_pods_scheduling_decision_duration_seconds_count 1',
    ])
    await harness.admin.delete(kinds.Pod, { name: 'pod-0', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await harness.pass(1_000)
    expect(await series('karpenter_pods_state')).toEqual([])
  })
})

describe('conditions', () => {
  test('have series for count, duration, transitions and events', async () => {
    await launched()
    await harness.pass(15_000)
    const counts = await series('operator_nodeclaim_status_condition_count')
    const launchedSeries = counts.find((line) => line.includes('type="Launched"'))
    expect(launchedSeries).toContain('status="True"')
    expect(launchedSeries).toContain('karpenter_sh_nodepool="general"')
    expect(launchedSeries).toContain('karpenter_kwok_sh_kwoknodeclass="default"')
    const older = await series('operator_status_condition_count')
    expect(older.some((line) => line.includes('kind="NodeClaim"') && line.includes('group="karpenter.sh"'))).toBe(true)
    expect(await series('operator_nodeclaim_status_condition_transitions_total')).not.toEqual([])
    const reported = harness.messages('Registered')
    expect(
      reported.some((message) =>
        /^Status condition transitioned, Type: Registered, Status: Unknown -> True/.test(message),
      ),
    ).toBe(true)
    const nodeSeries = await series('operator_node_status_condition_count')
    expect(nodeSeries[0]).toContain(`${labels.initialized.replaceAll(/[/.-]/g, '_')}="true"`)
  })
})
