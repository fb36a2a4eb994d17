import { annotations, karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import {
  createDisruptablePool,
  createPendingPod,
  createPendingPods,
  type Harness,
  launchNodes,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { DECISIONS_CONFIG_MAP } from './decisions-config-map.ts'
import { ObservingError, observingClient } from './observing-client.ts'

const start = harnessPerTest()
const closed = closedWith(start)
const observing = { metadata: { annotations: { [annotations.mode]: 'observe' } } }

/** Creates a NodePool that is Ready. In a real cluster, the active autoscaler, which Kerf observes, makes it Ready. */
const createReadyPool = async (w: Harness): Promise<void> => {
  await createDisruptablePool(w, 'general')
  const conditions = ['Ready', 'ValidationSucceeded', 'NodeClassReady'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: type,
    message: '',
  }))
  await w.patch(karpenterKinds.NodePool, 'general', { status: { conditions } }, 'status')
}

describe('the whole controller in observe mode', () => {
  test('decides, records and counts, and writes one ConfigMap', async () => {
    const w = await start({ settings: { observe: true }, cluster: 'api' })
    await createReadyPool(w)
    const before = await w.readPool('general')
    const pods = await createPendingPods(w, 3, { requests: { cpu: '1' } })
    await w.pass(60_000)
    expect(await w.claims()).toEqual([])
    expect(await w.readPool('general')).toEqual(before)
    const uids = pods.map(({ metadata }) => metadata.uid).sort()
    expect(w.kerf.observations.recent.map(({ kind }) => kind)).toEqual(['launch'])
    const written = await w.read(kinds.ConfigMap, DECISIONS_CONFIG_MAP, 'kube-system')
    const decision = JSON.parse(written?.data?.['decisions'] ?? '')
    expect(decision).toMatchObject({ kind: 'launch', nodePools: ['general'], price: expect.any(Number) })
    expect([...decision.pods].sort()).toEqual(uids)
    expect(await w.metric('kerf_observed_decisions_total', { kind: 'launch', nodepool: 'general' })).toBe(1)
    expect(await w.metric('kerf_observed_launch_cost_total')).toBeCloseTo(decision.price)
    expect(w.distinctMessages('WouldLaunch', 'general')).toEqual([
      expect.stringMatching(/^Would launch .* for 3 pod\(s\)/),
    ])
  })

  test('decides once for each pod, and again after ten minutes if the pod is still pending', async () => {
    const w = await start({ settings: { observe: true }, cluster: 'api' })
    await createReadyPool(w)
    await createPendingPod(w, 'one', { requests: { cpu: '1' } })
    await w.pass(120_000)
    await createPendingPod(w, 'two', { requests: { cpu: '1' } })
    await w.pass(120_000)
    expect(w.kerf.observations.recent.map(({ pods }) => pods.length)).toEqual([1, 1])
    await w.pass(600_000)
    expect(w.kerf.observations.recent.length).toBeGreaterThan(2)
  })

  test('runs no controller that changes the cluster', async () => {
    const w = await start({ settings: { observe: true, disableClusterStateObservability: true } })
    const expected = ['provisioner', 'provisioner.trigger.pod', 'policy.prices', 'disruption', 'observation.decisions']
    expect(w.kerf.controllers).toEqual(expected)
  })

  test('uses a client that refuses every other write', async () => {
    const w = await start({ cluster: 'api' })
    const client = observingClient(w.admin)
    await createPendingPod(w, 'some')
    const ref = { name: 'some', namespace: 'default' }
    const pod = await client.get(kinds.Pod, ref)
    const body = { type: 'merge', body: {} } as const
    for (const call of [
      () => client.create(kinds.Pod, pod),
      () => client.update(kinds.Pod, pod),
      () => client.patch(kinds.Pod, ref, body),
      () => client.patch(kinds.ConfigMap, { name: 'other', namespace: 'kube-system' }, body),
      () => client.delete(kinds.Pod, ref),
      () => client.evict(ref),
      () => client.bind(ref, 'n'),
    ])
      await expect(call()).rejects.toThrow(ObservingError)
  })
})

describe('one NodePool in observe mode', () => {
  test('launches nothing, while other pools do', async () => {
    const w = await start({ cluster: 'api' })
    await createDisruptablePool(w, 'watched', {}, {})
    await patchPool(w, 'watched', { ...observing, spec: { weight: 90 } })
    await createPendingPod(w, 'one', { requests: { cpu: '1' } })
    await w.pass(60_000)
    expect(await w.claims()).toEqual([])
    expect(w.kerf.observations.recent).toMatchObject([{ kind: 'launch', nodePools: ['watched'] }])
    await createDisruptablePool(w, 'acting')
    await w.pass(60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])).toEqual(['acting'])
  })

  test('keeps its nodes, and reports what would happen to them, until the annotation is removed', async () => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 2, '1')
    await patchPool(w, 'general', observing)
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(made.length)
    expect(w.kerf.observations.recent).toMatchObject([
      {
        kind: 'disrupt',
        nodePools: ['general'],
        reason: 'Underutilized',
        replacements: 0,
        savings: expect.any(Number),
      },
    ])
    expect(w.distinctMessages('WouldDisrupt').length).toBe(1)
    await patchPool(w, 'general', { metadata: { annotations: { [annotations.mode]: null } } })
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(1)
  })

  test('does not delete expired nodes', async () => {
    const w = await closed({}, MIDDLE)
    await patchPool(w, 'general', observing)
    await launchNodes(w, 1, { spec: { expireAfter: '5m' } })
    await w.pass(600_000)
    expect((await w.claims()).every(({ metadata }) => metadata.deletionTimestamp === undefined)).toBe(true)
    expect((await w.claims()).length).toBe(1)
    await patchPool(w, 'general', { metadata: { annotations: { [annotations.mode]: null } } })
    await w.pass(180_000)
    expect(await w.claims()).toEqual([])
  })
})
