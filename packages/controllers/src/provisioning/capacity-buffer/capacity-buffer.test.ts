import {
  type CapacityBuffer,
  type Deployment,
  type KubeObject,
  karpenterKinds,
  kinds,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../../deps.ts'
import { createPendingPod, createPoolOfType, Harness } from '../../testing/harness/index.ts'
import { bufferSize } from './buffer-size.ts'
import { podTemplateKind } from './resolve.ts'
import { bufferPodShape, virtualPods } from './virtual-pods.ts'

const buffer = (spec: CapacityBuffer['spec'], name = 'spare'): CapacityBuffer => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name, namespace: 'default', uid: 'buffer-uid' },
  spec,
})
const shape = (requests: Readonly<Record<string, string>>): Pod => pod('shape', { requests })
const two = shape({ cpu: '500m', memory: '1Gi' })

describe('the size of a buffer', () => {
  test.each<[string, CapacityBuffer['spec'], number | undefined, number]>([
    ['a fixed number', { replicas: 3 }, undefined, 3],
    ['a fixed number above the limits', { replicas: 5, limits: { cpu: '1' } }, undefined, 2],
    ['a fixed number below the limits', { replicas: 2, limits: { cpu: '10' } }, undefined, 2],
    ['only limits', { limits: { cpu: '2', memory: '3Gi' } }, undefined, 3],
    ['limits below one replica', { limits: { cpu: '100m' } }, undefined, 0],
    ['limits on resources that no replica requests', { replicas: 4, limits: { 'example.com/gpu': '1' } }, undefined, 4],
    ['a percentage, rounded up', { percentage: 25 }, 10, 3],
    ['a percentage gives at least one replica', { percentage: 1 }, 3, 1],
    ['a percentage of a workload without replicas', { percentage: 50 }, 0, 0],
    ['a percentage of 0', { percentage: 0 }, 7, 0],
    ['a percentage above 100', { percentage: 150 }, 4, 6],
    ['the percentage, if it is greater than the number', { replicas: 2, percentage: 50 }, 10, 5],
    ['the number, if it is greater than the percentage', { replicas: 8, percentage: 50 }, 10, 8],
    ['the greater one, above the limits', { replicas: 8, percentage: 50, limits: { cpu: '1500m' } }, 10, 3],
    ['neither a number nor limits', {}, undefined, 0],
  ])('%s', (_, spec, replicas, expected) => {
    expect(bufferSize(buffer(spec), two, replicas)).toBe(expected)
  })

  test('an invalid limit is reported by name, and does not count as "no limit"', () => {
    const spec = { replicas: 4, limits: { cpu: '1e0.5' } }
    expect(() => bufferSize(buffer(spec), two, undefined)).toThrow('spec.limits.cpu must be a quantity')
  })
})

test('virtual pods have different names, and no volumes that a driver would have to create', () => {
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: {
      nodeName: 'pinned',
      containers: [{ name: 'main', volumeMounts: [{ name: 'data' }, { name: 'config' }] }],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'scratch', ephemeral: {} },
        { name: 'config', configMap: { name: 'config' } },
      ],
      tolerations: [{ operator: 'Exists' as const }],
    },
  }
  const of = buffer({ replicas: 2 })
  const [first, second, ...rest] = virtualPods(of, bufferPodShape(of, template), 2)
  expect(rest).toEqual([])
  expect([first?.metadata.name, second?.metadata.name]).toEqual(['capacity-buffer-spare-1', 'capacity-buffer-spare-2'])
  expect(second?.metadata.uid).toBe('buffer-uid-2')
  expect(first?.spec.priority).toBe(-2_147_483_648)
  expect(first?.spec.nodeName).toBeUndefined()
  expect(first?.spec.volumes?.map(({ name }) => name)).toEqual(['config'])
  expect(first?.spec.containers[0]).toMatchObject({ volumeMounts: [{ name: 'config' }] })
  expect(first?.spec.tolerations).toHaveLength(1)
  expect(virtualPods(of, bufferPodShape(of, template), 0)).toEqual([])
})

describe('a buffer in a cluster', () => {
  let harness: Harness
  beforeEach(async () => {
    const featureGates = { ...defaultControllerSettings.featureGates, CapacityBuffer: true }
    harness = await Harness.create({ settings: { featureGates } })
    await createPoolOfType(harness, 's-8x-amd64-linux')
  })
  afterEach(() => harness.stop())

  const read = (): Promise<CapacityBuffer> =>
    harness.admin.get(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
  const reasons = async (): Promise<Readonly<Record<string, string | undefined>>> =>
    Object.fromEntries(((await read()).status?.conditions ?? []).map(({ type, reason }) => [type, reason]))
  const putTemplate = () =>
    harness.put(podTemplateKind, {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'piece', namespace: 'default' },
      template: { spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } }] } },
    })

  test('launches nodes for its replicas, then counts their capacity as reserved; its pods are not nominated', async () => {
    await putTemplate()
    await harness.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 3 }))
    await harness.pass(1_500)
    expect((await read()).status).toMatchObject({ replicas: 3, podTemplateRef: { name: 'piece' } })
    expect(await reasons()).toEqual({ ReadyForProvisioning: 'Resolved', Provisioning: 'RequiresNewCapacity' })
    expect(await harness.claims()).toHaveLength(1)
    await harness.pass(40_000)
    expect(await reasons()).toEqual({ ReadyForProvisioning: 'Resolved', Provisioning: 'FitsExistingCapacity' })
    const [claim] = await harness.claims()
    const id = claim?.status?.providerID ?? ''
    expect(harness.kerf.state.bufferPodsOn(id)).toBe(3)
    expect(harness.kerf.state.expectsPods(id)).toBe(false)
    expect(harness.messages('Nominated')).toEqual([])
    expect(harness.kerf.state.timings.size).toBe(0)
    expect(await harness.claims()).toHaveLength(1)
  })

  test('reports which object is missing, and recovers when the object exists', async () => {
    await harness.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 1 }))
    await harness.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('PodTemplateNotFound')
    await putTemplate()
    await harness.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('Resolved')
    await harness.pass(30_000)
    const [claim] = await harness.claims()
    const id = claim?.status?.providerID ?? 'none'
    expect(harness.kerf.state.bufferPodsOn(id)).toBe(1)
    await harness.admin.delete(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
    await harness.pass(5_000)
    expect(harness.kerf.state.bufferPodsOn(id)).toBe(0)
  })

  test('keeps its replicas while their template cannot be read, and drops them when the template is deleted', async () => {
    await putTemplate()
    await harness.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 3 }))
    await harness.pass(42_000)
    const [claim] = await harness.claims()
    const id = claim?.status?.providerID ?? ''
    let failures = 0
    harness.fault = ({ verb, kind }, when) => {
      if (when !== 'before' || verb !== 'get' || kind?.kind !== 'PodTemplate') return undefined
      failures++
      return new ApiError({ code: 503, reason: 'ServiceUnavailable', message: 'the server is restarting' })
    }
    await harness.pass(35_000)
    expect(failures).toBeGreaterThan(1)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ResolutionFailed' })
    // A pending pod triggers a pass, which checks the capacity again.
    await createPendingPod(harness, 'first')
    await harness.pass(2_000)
    expect(harness.kerf.state.bufferPodsOn(id)).toBe(3)

    harness.fault = undefined
    await harness.admin.delete(podTemplateKind, { name: 'piece', namespace: 'default' })
    await harness.pass(35_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'PodTemplateNotFound' })
    await createPendingPod(harness, 'second')
    await harness.pass(2_000)
    expect(harness.kerf.state.bufferPodsOn(id)).toBe(0)
  })

  test('gets its size from a workload, and reports a missing workload or an unsupported kind', async () => {
    await harness.put(
      karpenterKinds.CapacityBuffer,
      buffer({ scalableRef: { kind: 'Deployment', name: 'web' }, percentage: 50 }),
    )
    await harness.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('ScalableRefNotFound')
    const selector = { matchLabels: { app: 'web' } }
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
    }
    await harness.put(kinds.Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 5, selector, template },
    })
    await harness.pass(2_000)
    expect((await read()).status).toMatchObject({ replicas: 3 })
    await harness.admin.patch(
      karpenterKinds.CapacityBuffer,
      { name: 'spare', namespace: 'default' },
      { type: 'merge', body: { spec: { scalableRef: { kind: 'CronJob', name: 'web' } } } },
    )
    await harness.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('ResolutionFailed')
  })

  const workload = (kind: ResourceKind, replicas: number): KubeObject & { readonly spec: object } => ({
    apiVersion: 'apps/v1',
    kind: kind.kind,
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
      },
    },
  })
  const ref = { name: 'web', namespace: 'default' }
  const putBufferOf = (kind: string) =>
    harness.put(karpenterKinds.CapacityBuffer, buffer({ scalableRef: { kind, name: 'web' }, percentage: 50 }))

  test.each<ResourceKind>([kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet])(
    'follows a workload that is created later, scaled and deleted: $kind',
    async (kind) => {
      await putBufferOf(kind.kind)
      await harness.pass(2_000)
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
      await harness.put(kind, workload(kind, 4))
      await harness.pass(500)
      expect((await read()).status).toMatchObject({ replicas: 2 })
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'Resolved' })
      await harness.admin.patch(kind, ref, { type: 'merge', body: { spec: { replicas: 8 } } })
      await harness.pass(500)
      expect((await read()).status).toMatchObject({ replicas: 4 })
      await harness.admin.delete(kind, ref)
      await harness.pass(500)
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    },
  )

  test('reads a workload once for each change of its spec, and lists only kinds that a buffer names', async () => {
    const calls: string[] = []
    harness.fault = ({ verb, kind }, when) => {
      if (when === 'before' && kind?.group === 'apps' && kind.kind !== 'DaemonSet') calls.push(`${verb} ${kind.kind}`)
      return undefined
    }
    await harness.put(kinds.Deployment, { ...workload(kinds.Deployment, 4) } as Deployment)
    await harness.pass(60_000)
    expect(calls).toEqual([])
    await putBufferOf('Deployment')
    await harness.pass(5_000)
    expect(new Set(calls)).toEqual(new Set(['get Deployment', 'list Deployment', 'watch Deployment']))
    calls.length = 0
    for (let ready = 1; ready <= 4; ready++) {
      const status = { replicas: 4, readyReplicas: ready, unavailableReplicas: 4 - ready }
      await harness.admin.patch(kinds.Deployment, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
      await harness.pass(500)
    }
    expect(calls).toEqual([])
  })

  test('checks workloads periodically if it has no permission to watch them, and logs that once', async () => {
    harness.fault = ({ verb, kind }, when) =>
      when === 'before' && kind?.kind === 'Deployment' && (verb === 'list' || verb === 'watch')
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'deployments.apps is forbidden' })
        : undefined
    await putBufferOf('Deployment')
    await harness.pass(2_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    await harness.put(kinds.Deployment, { ...workload(kinds.Deployment, 4) } as Deployment)
    await harness.pass(2_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    await harness.pass(30_000)
    expect((await read()).status).toMatchObject({ replicas: 2 })
    await harness.pass(3_600_000)
    expect(harness.log.messages('warn').filter((message) => message.includes('deployments'))).toHaveLength(1)
    expect(harness.log.messages('error')).toEqual([])
  })
})
