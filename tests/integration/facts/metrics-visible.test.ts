import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { defaultControllerSettings } from '@kerf/controllers'
import { createPendingPod, createPool, Harness } from '@kerf/controllers/testing'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { condition, nodeClassRef } from '@kerf/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LARGE, MIDDLE, SMALL } from '../../../packages/controllers/src/testing/closed-pools.ts'
import { bufferMetrics, conditionMetrics, coreMetrics } from './metrics.ts'

/** A common scrape interval, in milliseconds. */
const SCRAPE_EVERY = 15_000
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOLD = 'example.com/hold'

/** The metrics that no scrape of this test contains, each with the reason. */
const NOT_SEEN: Readonly<Record<string, string>> = {
  karpenter_nodeclaims_unhealthy_disrupted_total:
    'The kubelets of the sandbox are never sick; the tests of node repair count it.',
  karpenter_voluntary_disruption_queue_failures_total:
    'No replacement of the story is given up; the tests of disruption count it.',
}

const seen = new Set<string>()
let harness: Harness

const scrape = async (): Promise<void> => {
  // Extracts only the names. Parsing the samples of all scrapes, half a megabyte each, would take most of the test's time.
  const names = (await harness.metrics.text()).match(/^[a-z]\w*(?=[{ ])/gm) ?? []
  for (const name of new Set(names)) {
    seen.add(name)
    seen.add(name.replace(/_(bucket|sum|count)$/, ''))
  }
}

/** Advances the time, and scrapes the metrics at each interval. */
const pass = async (span: number): Promise<void> => {
  for (let left = span; left > 0; left -= SCRAPE_EVERY) {
    await harness.pass(Math.min(left, SCRAPE_EVERY))
    await scrape()
  }
}

beforeAll(async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, NodeRepair: true, CapacityBuffer: true }
  harness = await Harness.create({ cluster: 'whole', settings: { featureGates } })
  await story()
})
afterAll(() => harness.stop())

const workload = (name: string, kind: 'Deployment' | 'DaemonSet', cpu: string, replicas?: number, place = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'default' },
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        ...place,
        containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu }, limits: { cpu: '4000' } } }],
      },
    },
  },
})
const scale = (name: string, replicas: number) =>
  harness.admin.patch(kinds.Deployment, { name, namespace: 'default' }, { type: 'merge', body: { spec: { replicas } } })
const claims = async (pool: string) =>
  (await harness.claims()).filter(({ metadata }) => metadata.labels?.[labels.nodePool] === pool)

const story = async (): Promise<void> => {
  const { admin } = harness
  const template = (...types: string[]) => ({
    spec: {
      nodeClassRef,
      expireAfter: 'Never',
      requirements: [{ key: labels.instanceType, operator: 'In' as const, values: types }],
    },
  })
  const disruption = { consolidateAfter: '30s', consolidationPolicy: 'Balanced', budgets: [{ nodes: '100%' }] } as const
  await createPool(harness, 'general', {
    template: template(SMALL, MIDDLE, LARGE),
    disruption,
    limits: { cpu: '1000' },
  })

  // A daemon, an application, an unschedulable pod, and a pod that Kerf ignores.
  await admin.create(kinds.DaemonSet, workload('agent', 'DaemonSet', '10m'))
  await admin.create(kinds.Deployment, workload('web', 'Deployment', '1', 6))
  await createPendingPod(harness, 'huge', { requests: { cpu: '3000' } })
  await createPendingPod(harness, 'invalid', { spec: { nodeSelector: { 'karpenter.sh/registered': 'true' } } })
  await pass(3 * MINUTE)

  // The load goes down, so Kerf consolidates nodes. Then new pods interrupt the consolidation.
  await scale('web', 3)
  await pass(5 * MINUTE)

  // A node with pods is deleted by hand.
  const [byHand] = await claims('general')
  await admin.delete(karpenterKinds.NodeClaim, { name: byHand?.metadata.name ?? '' })
  await pass(3 * MINUTE)

  // No instance can be launched for a while, not even as a replacement.
  harness.outages.stockOut({})
  await scale('web', 30)
  await pass(2 * MINUTE)
  harness.outages.restock()
  await pass(3 * MINUTE)
  await scale('web', 4)
  for (let turn = 0; turn < 8; turn++) {
    await pass(30 * SECOND)
    await scale('web', turn % 2 === 0 ? 20 : 2)
  }
  await pass(3 * MINUTE)

  // The node is too large for its pods, but it cannot be replaced until the cloud has capacity again.
  const onWide = { nodeSelector: { [labels.nodePool]: 'wide' } }
  await createPool(harness, 'wide', { template: template(SMALL, 'c-16x-amd64-linux'), disruption })
  await admin.create(kinds.Deployment, workload('bulky', 'Deployment', '14', 1, onWide))
  await pass(MINUTE)
  await admin.create(kinds.Deployment, workload('tiny', 'Deployment', '100m', 1, onWide))
  await pass(MINUTE)
  harness.outages.breakDown('launch', new Error('busy'))
  await scale('bulky', 0)
  await pass(8 * MINUTE)
  harness.outages.recover()
  await pass(5 * MINUTE)

  // A node is not ready for a moment, and a NodePool refers to a missing node class.
  const [shaky] = (await admin.list(kinds.Node)).items
  const since = { lastTransitionTime: new Date(harness.clock.now()).toISOString() }
  await admin.patch(
    kinds.Node,
    { name: shaky?.metadata.name ?? '' },
    { type: 'merge', body: { status: { conditions: [{ ...condition('Ready', 'False'), ...since }] } } },
    { subresource: 'status' },
  )
  await createPool(harness, 'lost', {
    template: { spec: { ...template(SMALL).spec, nodeClassRef: { ...nodeClassRef, name: 'nobody' } } },
  })
  await pass(MINUTE)

  // Objects that are deleted but that a finalizer keeps for a while.
  const spare = kwokNodeClass('spare', { metadata: { finalizers: [HOLD] } })
  await admin.create(kwokNodeClassKind, spare)
  await createPool(harness, 'leaving')
  const buffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'buffer', namespace: 'default', finalizers: [HOLD] },
    spec: { replicas: 1, scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'later' } },
  } as const
  await admin.create(karpenterKinds.CapacityBuffer, buffer)
  await admin.patch(
    karpenterKinds.NodePool,
    { name: 'leaving' },
    { type: 'merge', body: { metadata: { finalizers: [HOLD] } } },
  )
  await pass(MINUTE)
  // Changes the conditions that these objects wait for.
  await admin.create(kinds.Deployment, workload('later', 'Deployment', '1', 1))
  await admin.patch(
    kwokNodeClassKind,
    { name: 'spare' },
    { type: 'merge', body: { status: { conditions: [{ ...condition('Ready', 'False'), ...since }] } } },
    { subresource: 'status' },
  )
  await pass(2 * MINUTE)
  const [pool, nodeClass, held] = [{ name: 'leaving' }, { name: 'spare' }, { name: 'buffer', namespace: 'default' }]
  await admin.delete(karpenterKinds.NodePool, pool)
  await admin.delete(kwokNodeClassKind, nodeClass)
  await admin.delete(karpenterKinds.CapacityBuffer, held)
  await pass(MINUTE)
  // Another controller's finalizer keeps a deleted node, so its NodeClaim waits.
  const going = (await admin.list(karpenterKinds.NodeClaim)).items.find(({ status }) => status?.nodeName !== undefined)
  const leftNode = { name: going?.status?.nodeName ?? '' }
  const { metadata } = await admin.get(kinds.Node, leftNode)
  const finalizers = [...(metadata.finalizers ?? []), HOLD]
  await admin.patch(kinds.Node, leftNode, { type: 'merge', body: { metadata: { finalizers } } })
  await admin.delete(karpenterKinds.NodeClaim, { name: going?.metadata.name ?? '' })
  await pass(MINUTE)
  const release = { type: 'merge', body: { metadata: { finalizers: null } } } as const
  await admin.patch(kinds.Node, leftNode, release)
  await admin.patch(karpenterKinds.NodePool, pool, release)
  await admin.patch(kwokNodeClassKind, nodeClass, release)
  await admin.patch(karpenterKinds.CapacityBuffer, held, release)
  await pass(MINUTE)
}

test.each([...coreMetrics, ...conditionMetrics, ...bufferMetrics].map(({ name }) => name))(
  'a scrape sees %s, or there is a documented reason',
  (name) => {
    expect(seen.has(name) ? 'seen' : NOT_SEEN[name]).toBeDefined()
    // `NOT_SEEN` contains no metric that a scrape does contain.
    expect(seen.has(name) && name in NOT_SEEN).toBe(false)
  },
)
