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
import { createPendingPod, createPoolOfType, World } from '../../testing/world/index.ts'
import { bufferSize } from './buffer-size.ts'
import { podTemplateKind } from './resolve.ts'
import { shapeOf, virtualPods } from './virtual-pods.ts'

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
    ['fixed', { replicas: 3 }, undefined, 3],
    ['capped', { replicas: 5, limits: { cpu: '1' } }, undefined, 2],
    ['not binding', { replicas: 2, limits: { cpu: '10' } }, undefined, 2],
    ['limits alone', { limits: { cpu: '2', memory: '3Gi' } }, undefined, 3],
    ['below one', { limits: { cpu: '100m' } }, undefined, 0],
    ['limits that concern nothing', { replicas: 4, limits: { 'example.com/gpu': '1' } }, undefined, 4],
    ['percentage, rounded up', { percentage: 25 }, 10, 3],
    ['percentage, at least one', { percentage: 1 }, 3, 1],
    ['percentage of nothing', { percentage: 50 }, 0, 0],
    ['no percentage', { percentage: 0 }, 7, 0],
    ['above a hundred', { percentage: 150 }, 4, 6],
    ['the greater of two', { replicas: 2, percentage: 50 }, 10, 5],
    ['the greater the other way', { replicas: 8, percentage: 50 }, 10, 8],
    ['capped maximum', { replicas: 8, percentage: 50, limits: { cpu: '1500m' } }, 10, 3],
    ['nothing at all', {}, undefined, 0],
  ])('%s', (_, spec, replicas, expected) => {
    expect(bufferSize(buffer(spec), two, replicas)).toBe(expected)
  })

  test('an invalid limit is named, and does not count as "no limit"', () => {
    const spec = { replicas: 4, limits: { cpu: '1e0.5' } }
    expect(() => bufferSize(buffer(spec), two, undefined)).toThrow('spec.limits.cpu must be a quantity')
  })
})

test('virtual pods have different names, and no volumes that would have to be provisioned', () => {
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
  const [first, second, ...rest] = virtualPods(of, shapeOf(of, template), 2)
  expect(rest).toEqual([])
  expect([first?.metadata.name, second?.metadata.name]).toEqual(['capacity-buffer-spare-1', 'capacity-buffer-spare-2'])
  expect(second?.metadata.uid).toBe('buffer-uid-2')
  expect(first?.spec.priority).toBe(-2_147_483_648)
  expect(first?.spec.nodeName).toBeUndefined()
  expect(first?.spec.volumes?.map(({ name }) => name)).toEqual(['config'])
  expect(first?.spec.containers[0]).toMatchObject({ volumeMounts: [{ name: 'config' }] })
  expect(first?.spec.tolerations).toHaveLength(1)
  expect(virtualPods(of, shapeOf(of, template), 0)).toEqual([])
})

describe('a buffer in a cluster', () => {
  let world: World
  beforeEach(async () => {
    const featureGates = { ...defaultControllerSettings.featureGates, CapacityBuffer: true }
    world = await World.create({ settings: { featureGates } })
    await createPoolOfType(world, 's-8x-amd64-linux')
  })
  afterEach(() => world.stop())

  const read = (): Promise<CapacityBuffer> =>
    world.admin.get(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
  const reasons = async (): Promise<Readonly<Record<string, string | undefined>>> =>
    Object.fromEntries(((await read()).status?.conditions ?? []).map(({ type, reason }) => [type, reason]))
  const putTemplate = () =>
    world.put(podTemplateKind, {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'piece', namespace: 'default' },
      template: { spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } }] } },
    })

  test('launches nodes for its replicas, then finds capacity on them; its pods are not nominated', async () => {
    await putTemplate()
    await world.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 3 }))
    await world.pass(1_500)
    expect((await read()).status).toMatchObject({ replicas: 3, podTemplateRef: { name: 'piece' } })
    expect(await reasons()).toEqual({ ReadyForProvisioning: 'Resolved', Provisioning: 'RequiresNewCapacity' })
    expect(await world.claims()).toHaveLength(1)
    await world.pass(40_000)
    expect(await reasons()).toEqual({ ReadyForProvisioning: 'Resolved', Provisioning: 'FitsExistingCapacity' })
    const [claim] = await world.claims()
    const id = claim?.status?.providerID ?? ''
    expect(world.kerf.state.bufferPodsOn(id)).toBe(3)
    expect(world.kerf.state.expectsPods(id)).toBe(false)
    expect(world.messages('Nominated')).toEqual([])
    expect(world.kerf.state.timings.size).toBe(0)
    expect(await world.claims()).toHaveLength(1)
  })

  test('reports what is missing, and recovers when it appears', async () => {
    await world.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 1 }))
    await world.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('PodTemplateNotFound')
    await putTemplate()
    await world.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('Resolved')
    await world.pass(30_000)
    const [claim] = await world.claims()
    const id = claim?.status?.providerID ?? 'none'
    expect(world.kerf.state.bufferPodsOn(id)).toBe(1)
    await world.admin.delete(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
    await world.pass(5_000)
    expect(world.kerf.state.bufferPodsOn(id)).toBe(0)
  })

  test('keeps its replicas while their template cannot be read, and drops them when it is deleted', async () => {
    await putTemplate()
    await world.put(karpenterKinds.CapacityBuffer, buffer({ podTemplateRef: { name: 'piece' }, replicas: 3 }))
    await world.pass(42_000)
    const [claim] = await world.claims()
    const id = claim?.status?.providerID ?? ''
    let failures = 0
    world.fault = ({ verb, kind }, when) => {
      if (when !== 'before' || verb !== 'get' || kind?.kind !== 'PodTemplate') return undefined
      failures++
      return new ApiError({ code: 503, reason: 'ServiceUnavailable', message: 'the server is restarting' })
    }
    await world.pass(35_000)
    expect(failures).toBeGreaterThan(1)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ResolutionFailed' })
    // A waiting pod makes the provisioner check the capacity again.
    await createPendingPod(world, 'first')
    await world.pass(2_000)
    expect(world.kerf.state.bufferPodsOn(id)).toBe(3)

    world.fault = undefined
    await world.admin.delete(podTemplateKind, { name: 'piece', namespace: 'default' })
    await world.pass(35_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'PodTemplateNotFound' })
    await createPendingPod(world, 'second')
    await world.pass(2_000)
    expect(world.kerf.state.bufferPodsOn(id)).toBe(0)
  })

  test('gets its size from a workload, and reports a missing workload or a wrong kind', async () => {
    await world.put(
      karpenterKinds.CapacityBuffer,
      buffer({ scalableRef: { kind: 'Deployment', name: 'web' }, percentage: 50 }),
    )
    await world.pass(2_000)
    expect((await reasons())['ReadyForProvisioning']).toBe('ScalableRefNotFound')
    const selector = { matchLabels: { app: 'web' } }
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
    }
    await world.put(kinds.Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 5, selector, template },
    })
    await world.pass(2_000)
    expect((await read()).status).toMatchObject({ replicas: 3 })
    await world.admin.patch(
      karpenterKinds.CapacityBuffer,
      { name: 'spare', namespace: 'default' },
      { type: 'merge', body: { spec: { scalableRef: { kind: 'CronJob', name: 'web' } } } },
    )
    await world.pass(2_000)
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
    world.put(karpenterKinds.CapacityBuffer, buffer({ scalableRef: { kind, name: 'web' }, percentage: 50 }))

  test.each<ResourceKind>([kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet])(
    'follows a workload that is created later, scaled and deleted: $kind',
    async (kind) => {
      await putBufferOf(kind.kind)
      await world.pass(2_000)
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
      await world.put(kind, workload(kind, 4))
      await world.pass(500)
      expect((await read()).status).toMatchObject({ replicas: 2 })
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'Resolved' })
      await world.admin.patch(kind, ref, { type: 'merge', body: { spec: { replicas: 8 } } })
      await world.pass(500)
      expect((await read()).status).toMatchObject({ replicas: 4 })
      await world.admin.delete(kind, ref)
      await world.pass(500)
      expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    },
  )

  test('reads a workload once for each change of its spec, and lists no kind that no buffer names', async () => {
    const calls: string[] = []
    world.fault = ({ verb, kind }, when) => {
      if (when === 'before' && kind?.group === 'apps' && kind.kind !== 'DaemonSet') calls.push(`${verb} ${kind.kind}`)
      return undefined
    }
    await world.put(kinds.Deployment, { ...workload(kinds.Deployment, 4) } as Deployment)
    await world.pass(60_000)
    expect(calls).toEqual([])
    await putBufferOf('Deployment')
    await world.pass(5_000)
    expect(new Set(calls)).toEqual(new Set(['get Deployment', 'list Deployment', 'watch Deployment']))
    calls.length = 0
    for (let ready = 1; ready <= 4; ready++) {
      const status = { replicas: 4, readyReplicas: ready, unavailableReplicas: 4 - ready }
      await world.admin.patch(kinds.Deployment, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
      await world.pass(500)
    }
    expect(calls).toEqual([])
  })

  test('checks workloads periodically if it may not watch them, and logs that once', async () => {
    world.fault = ({ verb, kind }, when) =>
      when === 'before' && kind?.kind === 'Deployment' && (verb === 'list' || verb === 'watch')
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'deployments.apps is forbidden' })
        : undefined
    await putBufferOf('Deployment')
    await world.pass(2_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    await world.put(kinds.Deployment, { ...workload(kinds.Deployment, 4) } as Deployment)
    await world.pass(2_000)
    expect(await reasons()).toMatchObject({ ReadyForProvisioning: 'ScalableRefNotFound' })
    await world.pass(30_000)
    expect((await read()).status).toMatchObject({ replicas: 2 })
    await world.pass(3_600_000)
    expect(world.log.messages('warn').filter((message) => message.includes('deployments'))).toHaveLength(1)
    expect(world.log.messages('error')).toEqual([])
  })
})
