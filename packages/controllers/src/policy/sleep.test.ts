import { karpenterKinds, kinds, type NodePoolPolicy, policyKinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../deps.ts'
import {
  createDeployment,
  createPendingPods,
  createPodDisruptionBudget,
  createPool,
  type Harness,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

// docs/spec/policies.md#sleep

const start = harnessPerTest()

const HOUR = 3_600_000
const disruption = { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] }
const ALL = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Returns the time of day in UTC, as HH:MM, `later` milliseconds from now. */
const clockAt = (w: Harness, later: number): string => new Date(w.clock.now() + later).toISOString().slice(11, 16)

/** Configures NodePools to sleep for `length`, beginning after `after`. */
const letSleep = async (
  w: Harness,
  after: number,
  length: number,
  target: Partial<NodePoolPolicy['spec']> = { targetSelector: {} },
  deadline?: string,
): Promise<void> => {
  await w.admin.create(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'night' },
    spec: {
      ...target,
      sleep: {
        timeZone: 'Etc/UTC',
        awake: [{ days: ALL, start: clockAt(w, after + length), end: clockAt(w, after) }],
        ...(deadline === undefined ? {} : { deadline }),
      },
    },
  })
}

const conditions = async (w: Harness) =>
  ((await w.read(policyKinds.NodePoolPolicy, 'night'))?.status?.targets ?? []).flatMap((target) =>
    target.conditions.map(
      ({ type, status, reason, message }) => `${target.name} ${type}=${status} ${reason} ${message}`,
    ),
  )

const pods = async (w: Harness) => (await w.admin.list(kinds.Pod)).items

describe('a NodePool that sleeps', () => {
  test('loses its nodes, launches none, and its pods wait with the reason until it wakes', async () => {
    const w = await start()
    await createPool(w, 'general', { disruption })
    await createDeployment(w, 'web', 3, '900m')
    await w.pass(60_000)
    expect((await w.claims()).length).toBeGreaterThan(0)
    await letSleep(w, HOUR / 4, HOUR / 2)
    await w.pass(HOUR / 4 - 120_000)
    expect((await w.claims()).length).toBeGreaterThan(0)
    await w.pass(600_000)
    expect(await w.claims()).toEqual([])
    const waiting = await pods(w)
    expect(waiting).toHaveLength(3)
    expect(waiting.every(({ spec }) => spec.nodeName === undefined)).toBe(true)
    expect(w.messages('FailedScheduling').join()).toMatch(/sleeps until \d\d:\d\d Etc\/UTC/)
    expect((await conditions(w)).join()).toContain('general Sleeping=True Asleep the NodePool sleeps until')
    expect(await w.metric('kerf_nodepool_asleep', { nodepool: 'general' })).toBe(1)
    await w.pass(HOUR / 2)
    expect((await w.claims()).length).toBeGreaterThan(0)
    expect((await pods(w)).every(({ spec }) => spec.nodeName !== undefined)).toBe(true)
    expect(await w.metric('kerf_nodepool_asleep', { nodepool: 'general' })).toBe(0)
  })

  test('keeps nodes that a budget or do-not-disrupt protects, and reports it', async () => {
    const w = await start()
    await createPool(w, 'general', { disruption: { ...disruption, budgets: [{ nodes: '0' }] } })
    await createPendingPods(w, 1)
    await w.pass(60_000)
    await letSleep(w, 0, 2 * HOUR)
    await w.pass(300_000)
    expect(await w.claims()).toHaveLength(1)
    expect((await conditions(w)).join()).toContain('Nodes left: 1.')
  })

  test('moves its pods to NodePools that are awake', async () => {
    const w = await start()
    await createPool(w, 'general', { weight: 10, disruption })
    await createDeployment(w, 'web', 2, '900m')
    await w.pass(60_000)
    await createPool(w, 'day', { disruption })
    const targetRefs = [{ group: 'karpenter.sh' as const, kind: 'NodePool' as const, name: 'general' }]
    await letSleep(w, 0, 2 * HOUR, { targetRefs })
    await w.pass(600_000)
    const claims = await w.claims()
    expect(claims.map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])).toEqual(['day'])
    expect((await pods(w)).every(({ spec }) => spec.nodeName !== undefined)).toBe(true)
  })

  test('stays awake until the time of its annotation', async () => {
    const w = await start()
    await createPool(w, 'general', { disruption })
    await createDeployment(w, 'web', 1, '900m')
    await w.pass(60_000)
    const until = new Date(w.clock.now() + HOUR).toISOString()
    await w.patch(karpenterKinds.NodePool, 'general', { metadata: { annotations: { 'kerf.sh/awake-until': until } } })
    await letSleep(w, 0, 6 * HOUR)
    await w.pass(HOUR - 300_000)
    expect(await w.claims()).toHaveLength(1)
    expect((await conditions(w)).join()).toContain('Sleeping=False Woken')
    await w.pass(900_000)
    expect(await w.claims()).toEqual([])
  })
})

describe('the deadline of sleep', () => {
  const protect = { targetSelector: {} }

  /** Creates a node that a disruption budget of 0 protects, with a pod that is protected by a PodDisruptionBudget and do-not-disrupt. */
  const createProtectedNode = async (w: Harness): Promise<void> => {
    await createPool(w, 'general', { disruption: { ...disruption, budgets: [{ nodes: '0' }] } })
    await createDeployment(w, 'web', 1, '900m', { terminationGracePeriodSeconds: 120 })
    await createPodDisruptionBudget(w, 'web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } })
    await w.pass(60_000)
    const [pod] = await pods(w)
    const ref = { name: pod?.metadata.name ?? '', namespace: 'default' }
    const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } }
    await w.admin.patch(kinds.Pod, ref, { type: 'merge', body })
    await w.pass(10_000)
  }

  test('terminates nodes that budgets and annotations of pods protect, with the grace period of their pods', async () => {
    const w = await start()
    await createProtectedNode(w)
    await letSleep(w, 120_000, 6 * HOUR, protect, '6m')
    const [claim] = await w.claims()
    await w.pass(120_000 + 3 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
    expect((await conditions(w)).join()).toMatch(/Kerf terminates them by \d\d:\d\d Etc\/UTC, despite budgets/)
    let [ending] = await w.claims()
    for (let step = 0; step < 900 && ending?.metadata.deletionTimestamp === undefined; step++) {
      await w.pass(100)
      ;[ending] = await w.claims()
    }
    expect(ending?.metadata.uid).toBe(claim?.metadata.uid)
    const left = Date.parse(ending?.metadata.annotations?.['karpenter.sh/nodeclaim-termination-timestamp'] ?? '')
    expect(left - Date.parse(ending?.metadata.deletionTimestamp ?? '')).toBeGreaterThanOrEqual(119_000)
    // The claim was deleted in the last step. After that, the pods still have their full grace period.
    expect(left - (w.clock.now() - 100)).toBeGreaterThanOrEqual(120_000)
    await w.pass(300_000)
    expect(await w.claims()).toEqual([])
    const waiting = await pods(w)
    expect(waiting.map(({ spec }) => spec.nodeName)).toEqual([undefined])
  })

  test('terminates the other nodes if one claim has an invalid deadline', async () => {
    const w = await start()
    await createProtectedNode(w)
    const [broken] = await w.claims()
    await createDeployment(w, 'db', 1, '900m')
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(2)
    const annotations = { 'karpenter.sh/nodeclaim-termination-timestamp': 'soon' }
    await w.patch(karpenterKinds.NodeClaim, broken?.metadata.name ?? '', { metadata: { annotations } })
    await letSleep(w, 0, 6 * HOUR, protect, '6m')
    await w.pass(9 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.name)).toEqual([broken?.metadata.name])
  })

  test('starts when the policy is first in effect', async () => {
    const w = await start()
    await createProtectedNode(w)
    await letSleep(w, -2 * HOUR, 6 * HOUR, protect, '6m')
    await w.pass(3 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
    await w.pass(6 * 60_000)
    expect(await w.claims()).toEqual([])
  })

  test('does not apply after the NodePool woke, and starts again when it falls asleep', async () => {
    const w = await start()
    await createProtectedNode(w)
    await letSleep(w, 0, 6 * HOUR, protect, '6m')
    await w.pass(2 * 60_000)
    const until = new Date(w.clock.now() + 10 * 60_000).toISOString()
    await w.patch(karpenterKinds.NodePool, 'general', { metadata: { annotations: { 'kerf.sh/awake-until': until } } })
    await w.pass(12 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
    await w.pass(6 * 60_000)
    expect(await w.claims()).toEqual([])
  })

  test('does not affect nodes with do-not-disrupt, and NodePools that are paused', async () => {
    const w = await start()
    await createProtectedNode(w)
    const [claim] = await w.claims()
    const node = claim?.status?.nodeName ?? ''
    await w.patch(kinds.Node, node, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })
    await letSleep(w, 0, 20 * HOUR, protect, '6m')
    await w.pass(8 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
    const pause = { until: new Date(w.clock.now() + 6 * 60_000).toISOString(), owner: 'a', reason: '' }
    const annotations = { 'kerf.sh/pause': JSON.stringify(pause) }
    await w.patch(karpenterKinds.NodePool, 'general', { metadata: { annotations } })
    await w.pass(10_000)
    await w.patch(kinds.Node, node, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null } } })
    await w.pass(5 * 60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined])
    await w.pass(6 * 60_000)
    expect(await w.claims()).toEqual([])
  })
})

test.each<[string, object, object, string]>([
  [
    'an unknown time zone',
    { timeZone: 'Europe/Berlinn', awake: [{ days: ['Mon'], start: '03:00', end: '03:01' }] },
    {},
    'spec.sleep.timeZone',
  ],
  [
    'hours that together never end',
    {
      timeZone: 'Etc/UTC',
      awake: [
        { days: ALL, start: '00:00', end: '12:00' },
        { days: ALL, start: '12:00', end: '24:00' },
      ],
    },
    {},
    'spec.sleep.awake',
  ],
  [
    'a static NodePool',
    { timeZone: 'Etc/UTC', awake: [{ days: ['Mon'], start: '03:00', end: '03:01' }] },
    { replicas: 1 },
    'section sleep: a static NodePool does not sleep; set its spec.replicas instead',
  ],
])(
  '%s: the policy is Invalid and says what to do, and the NodePool does not sleep',
  async (_name, sleep, pool, text) => {
    const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
    const w = await start({ settings: { featureGates } })
    await createPool(w, 'general', { disruption, ...pool })
    await createPendingPods(w, 1)
    await w.admin.create(policyKinds.NodePoolPolicy, {
      apiVersion: 'kerf.sh/v1alpha1',
      kind: 'NodePoolPolicy',
      metadata: { name: 'night' },
      spec: { targetSelector: {}, sleep },
    } as NodePoolPolicy)
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(1)
    expect((await conditions(w)).join()).toContain(`general Accepted=False Invalid ${text}`)
  },
)
