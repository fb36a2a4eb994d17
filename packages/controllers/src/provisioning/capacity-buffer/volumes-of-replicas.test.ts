import {
  type CapacityBuffer,
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type PodSpec,
  type StorageClass,
} from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { MIDDLE, only } from '../../testing/closed-pools.ts'
import { createDisruptablePool, type Harness, type HarnessOptions } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { podTemplateKind } from './resolve.ts'

const start = harnessPerTest()
const ZONE = 'test-zone-b'
const DRIVER = 'ebs.csi.aws.com'

const zonedClass = (name: string, more: Partial<StorageClass> = {}): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: labels.zone, values: [ZONE] }] }],
  ...more,
})
const isDefault = { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }
const ephemeral = (storageClassName?: string): Partial<PodSpec> => ({
  volumes: [
    {
      name: 'e',
      ephemeral: { volumeClaimTemplate: { spec: storageClassName === undefined ? {} : { storageClassName } } },
    },
  ],
})
const named: Partial<PodSpec> = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }
const claim = (spec: object, more: object = {}): KubeObject & { readonly spec: object } => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', ...more },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})
const volumeInZone = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: DRIVER, volumeHandle: 'vol-1' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [ZONE] }] }],
      },
    },
  },
}

describe('the volumes of a buffer’s pods', () => {
  const harness = async (options: HarnessOptions = {}): Promise<Harness> => {
    const w = await start({ ...options, gates: { CapacityBuffer: true } })
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: '0s' } }, only(MIDDLE))
    return w
  }
  const podSpec = (more: Partial<PodSpec>, cpu = '500m'): PodSpec => ({
    containers: [{ name: 'main', image: 'main', resources: { requests: { cpu } } }],
    ...more,
  })
  const putTemplate = (w: Harness, more: Partial<PodSpec>) =>
    w.put(podTemplateKind, {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'piece', namespace: 'default' },
      template: { spec: podSpec(more) },
    })
  const putBuffer = (w: Harness, spec: CapacityBuffer['spec']) =>
    w.put(karpenterKinds.CapacityBuffer, {
      apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default' },
      spec,
    })
  const readiness = async (w: Harness) => {
    const { status } = await w.admin.get(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
    const found = status?.conditions?.find(({ type }) => type === 'ReadyForProvisioning')
    return { reason: found?.reason, message: found?.message }
  }
  const zones = async (w: Harness): Promise<readonly (string | undefined)[]> =>
    (await w.claims()).map(({ metadata }) => metadata.labels?.[labels.zone])

  test.each<[string, Partial<PodSpec>, (w: Harness) => Promise<unknown>]>([
    ['an ephemeral volume of a class', ephemeral('zoned'), (w) => w.put(kinds.StorageClass, zonedClass('zoned'))],
    [
      'an ephemeral volume of the default class',
      ephemeral(),
      (w) => w.put(kinds.StorageClass, zonedClass('zoned', { metadata: { name: 'zoned', ...isDefault } })),
    ],
    [
      'an ephemeral volume of a class that binds immediately',
      ephemeral('now'),
      (w) => w.put(kinds.StorageClass, zonedClass('now', { volumeBindingMode: 'Immediate' })),
    ],
    [
      'a claim that is bound',
      named,
      async (w) => {
        await w.put(kinds.PersistentVolume, volumeInZone)
        const bound = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }
        await w.put(kinds.PersistentVolumeClaim, claim({ volumeName: 'disk', storageClassName: 'gone' }, bound))
      },
    ],
    [
      'a claim that is not bound yet',
      named,
      async (w) => {
        await w.put(kinds.StorageClass, zonedClass('zoned'))
        await w.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'zoned' }))
      },
    ],
  ])('determine the zone of the node: %s', async (_, spec, prepare) => {
    const w = await harness()
    await prepare(w)
    await putTemplate(w, spec)
    await putBuffer(w, { podTemplateRef: { name: 'piece' }, replicas: 2 })
    await w.pass(60_000)
    expect(await readiness(w)).toMatchObject({ reason: 'Resolved' })
    expect(await zones(w)).toEqual([ZONE])
  })

  test('include those of a StatefulSet’s claim templates, and count against the driver’s attach limit', async () => {
    const w = await harness()
    await w.put(kinds.StorageClass, zonedClass('zoned'))
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'default' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: podSpec({}, '100m') },
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'data' },
            spec: { storageClassName: 'zoned' },
          },
        ],
      },
    }
    await w.put(kinds.StatefulSet, set)
    await putBuffer(w, { scalableRef: { kind: 'StatefulSet', name: 'db' }, replicas: 1 })
    await w.pass(60_000)
    expect(await zones(w)).toEqual([ZONE])
    const [first] = await w.claims()
    const limit = { spec: { drivers: [{ name: DRIVER, nodeID: 'one', topologyKeys: [], allocatable: { count: 2 } }] } }
    await w.patch(kinds.CSINode, first?.status?.nodeName ?? '', limit)
    await w.patch(karpenterKinds.CapacityBuffer, 'spare', { spec: { replicas: 3 } })
    await w.pass(60_000)
    expect(await zones(w)).toEqual([ZONE, ZONE])
  })

  test.each<[string, Partial<PodSpec>, string]>([
    ['a class', ephemeral('gp4'), 'StorageClass gp4 of ephemeral volume e does not exist'],
    ['a default class', ephemeral(), 'ephemeral volume e names no StorageClass and there is no default'],
    ['a claim', named, 'PersistentVolumeClaim default/data of volume data does not exist'],
  ])(
    'are reported by the condition if they cannot be resolved, until that is corrected: %s',
    async (_, spec, message) => {
      const w = await harness()
      await putTemplate(w, spec)
      await putBuffer(w, { podTemplateRef: { name: 'piece' }, replicas: 1 })
      await w.pass(60_000)
      expect(await readiness(w)).toEqual({ reason: 'VolumeNotResolved', message: expect.stringContaining(message) })
      expect(await w.claims()).toEqual([])
      expect(w.log.messages('error')).toEqual([])
      await w.put(kinds.StorageClass, zonedClass('gp4', { metadata: { name: 'gp4', ...isDefault } }))
      await w.put(kinds.PersistentVolumeClaim, claim({ storageClassName: 'gp4' }))
      await w.pass(60_000)
      expect(await readiness(w)).toMatchObject({ reason: 'Resolved' })
      expect(await zones(w)).toEqual([ZONE])
    },
  )

  test('do not restrict the node if their claim has no class and is not bound yet', async () => {
    const w = await harness()
    await putTemplate(w, ephemeral(''))
    await putBuffer(w, { podTemplateRef: { name: 'piece' }, replicas: 1 })
    await w.pass(60_000)
    expect(await readiness(w)).toMatchObject({ reason: 'Resolved' })
    expect(await w.claims()).toHaveLength(1)
  })
})

describe('the device claims of a buffer’s pods', () => {
  const devices: Partial<PodSpec> = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] }
  const buffered = async (ignoreDraRequests: boolean): Promise<Harness> => {
    const w = await start({ gates: { CapacityBuffer: true }, settings: { ignoreDraRequests } })
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: '0s' } }, only(MIDDLE))
    await w.put(podTemplateKind, {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'piece', namespace: 'default' },
      template: { spec: { containers: [{ name: 'main', image: 'main' }], ...devices } },
    })
    await w.put(karpenterKinds.CapacityBuffer, {
      apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default' },
      spec: { podTemplateRef: { name: 'piece' }, replicas: 1 },
    })
    await w.pass(2_000)
    return w
  }
  const reason = async (w: Harness) => {
    const { status } = await w.admin.get(karpenterKinds.CapacityBuffer, { name: 'spare', namespace: 'default' })
    return status?.conditions?.map((condition) => condition.reason)
  }

  test('cause the launch of a node that has these devices', async () => {
    const w = await buffered(false)
    expect(await reason(w)).toContain('ResourceClaimTemplateNotFound')
    await w.put(kinds.DeviceClass, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu.example.com' },
      spec: {},
    })
    await w.put(kinds.ResourceClaimTemplate, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'gpu', namespace: 'default' },
      spec: { spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } } },
    })
    await w.pass(60_000)
    expect(await reason(w)).toEqual(['Resolved', 'RequiresNewCapacity'])
    expect(await w.claims()).toEqual([])
    await w.put(kinds.ResourceSlice, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'shared' },
      spec: {
        driver: 'gpu.example.com',
        pool: { name: 'shared', generation: 1, resourceSliceCount: 1 },
        allNodes: true,
        devices: [{ name: 'first' }],
      },
    })
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(1)
  })

  test('are not read if Kerf ignores device requests', async () => {
    const w = await buffered(true)
    await w.pass(60_000)
    expect(await reason(w)).toContain('Resolved')
  })
})
