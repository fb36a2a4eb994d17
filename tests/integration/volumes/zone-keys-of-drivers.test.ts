import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, kinds, type NodePool } from '@kerf/apis'
import { node, nodeClaim, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../packages/cli/src/plan/run-plan.ts'
import { providers } from '../../../packages/cli/src/providers.ts'
import { runRemove } from '../../../packages/cli/src/simulate/run-remove.ts'
import { importProviderExports } from '../../support/provider-exports.ts'
import { spreadPool } from '../story/spread-objects.ts'
import type { Cloud, VolumeZones } from './volume-zones.ts'

const storageClass = { provisioner: 'example.com/disk', volumeBindingMode: 'WaitForFirstConsumer' }
const bound = { 'pv.kubernetes.io/bind-completed': 'yes' }
const requests = { storage: '10Gi' }
const inZone = (key: string, value: string) => [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }]
const usesClaim = {
  containers: [{ name: 'main', image: 'db', resources: { requests: { cpu: '1' } } }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
}
const claimOf = (spec: object, annotations = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests }, ...spec },
})

/** Returns a bound volume whose node affinity names the zone with this key. */
const boundVolume = (key: string, value: string): readonly object[] => [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: requests,
      csi: { driver: 'disk.example.com', volumeHandle: 'disk' },
      claimRef: { namespace: 'default', name: 'data', kind: 'PersistentVolumeClaim' },
      nodeAffinity: { required: { nodeSelectorTerms: inZone(key, value) } },
    },
  },
  claimOf({ volumeName: 'pv', storageClassName: '' }, bound),
]

/** Returns a PersistentVolumeClaim whose StorageClass provisions volumes in one zone, named with this key. */
const classInZone = (key: string, value: string): readonly object[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'disk' },
    ...storageClass,
    allowedTopologies: [{ matchLabelExpressions: [{ key, values: [value] }] }],
  },
  claimOf({ storageClassName: 'disk' }),
]

/** The ways in which a pod can require the zone with this key. */
const demands: Readonly<Record<string, (key: string, value: string) => { objects: readonly object[]; spec: object }>> =
  {
    'a bound volume': (key, value) => ({ objects: boundVolume(key, value), spec: usesClaim }),
    'a StorageClass': (key, value) => ({ objects: classInZone(key, value), spec: usesClaim }),
    'a nodeSelector': (key, value) => ({
      objects: [],
      spec: { containers: usesClaim.containers, nodeSelector: { [key]: value } },
    }),
    'node affinity': (key, value) => ({
      objects: [],
      spec: {
        containers: usesClaim.containers,
        affinity: {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: inZone(key, value) } },
        },
      },
    }),
  }

const podOf = (spec: object, status?: object) =>
  pod('db', { spec, ...(status === undefined ? {} : { status }) } as never)

const poolOf = ({ nodeClass, type }: Cloud, requirements: readonly object[] = []): NodePool => {
  const [group = ''] = nodeClass.apiVersion.split('/')
  const nodeClassRef = { group, kind: nodeClass.kind, name: 'default' }
  return spreadPool(nodeClassRef, {
    template: {
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [type] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          ...(requirements as []),
        ],
      },
    },
  })
}

/** Returns the JSON output of a verb for the objects. */
const ask = async <T>(
  { provider, region }: Cloud,
  objects: readonly object[],
  run: (options: object, streams: Parameters<typeof runPlan>[1]) => Promise<number>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-zones-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.yaml')
  await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const options = { filename: [file], instanceTypes: provider, region, output: 'json', diff: false, explainCost: false }
  await run(options, { stdout, stderr: { write: () => {} }, env: {} } as never)
  return JSON.parse(text)
}

interface Planned {
  readonly nodeClaims: readonly { readonly zones: readonly string[] }[]
  readonly unschedulable: readonly unknown[]
}
const planned = async (cloud: Cloud, objects: readonly object[]): Promise<readonly (readonly string[])[]> => {
  const { nodeClaims, unschedulable } = await ask<Planned>(cloud, objects, runPlan as never)
  expect(unschedulable).toEqual([])
  return nodeClaims.map(({ zones }) => zones)
}

const cases = (
  await importProviderExports<{ readonly volumeZones: readonly VolumeZones[] }>('./testing/volume-zones')
).flatMap(({ volumeZones }) => volumeZones)
const named = cases.map((each) => [`${each.key}=${each.cloud.written}`, each] as const)

test('the cases cover all aliases of all providers', () => {
  const aliases = providers.flatMap(({ labels }) => labels.aliases.map(({ alias }) => alias))
  expect([...new Set(cases.map(({ key }) => key))].toSorted()).toEqual([...aliases].toSorted())
})

test.each(named)('%s: a plan respects the zone that pods and pools require', async (_, { cloud, key }) => {
  for (const [what, demand] of Object.entries(demands)) {
    const { objects, spec } = demand(key, cloud.written)
    const found = await planned(cloud, [cloud.nodeClass, poolOf(cloud), ...objects, podOf(spec)])
    expect(found, what).toEqual([[cloud.zone]])
  }
  const ofPool = [{ key, operator: 'In', values: [cloud.written] }]
  const { containers } = usesClaim
  expect(await planned(cloud, [cloud.nodeClass, poolOf(cloud, ofPool), podOf({ containers })])).toEqual([[cloud.zone]])
})

test.each(named)('%s: when a node is removed, its pod moves to the zone of its volume', async (_, { cloud, key }) => {
  const labels = {
    'karpenter.sh/nodepool': 'general',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'topology.kubernetes.io/zone': cloud.zone,
    'node.kubernetes.io/instance-type': cloud.type,
    'karpenter.sh/capacity-type': 'on-demand',
  }
  const [group = ''] = cloud.nodeClass.apiVersion.split('/')
  const objects = [
    cloud.nodeClass,
    poolOf(cloud),
    nodeClaim('old', {
      labels,
      providerID: 'cloud:///old',
      spec: { nodeClassRef: { group, kind: cloud.nodeClass.kind, name: 'default' } },
    } as never),
    node('old', { labels, providerID: 'cloud:///old' } as never),
    ...boundVolume(key, cloud.written),
    podOf({ ...usesClaim, nodeName: 'old' }, { phase: 'Running' }),
  ]
  const { newNodes, withoutPlace } = await ask<{
    readonly newNodes: readonly { readonly cheapest: { readonly zone: string } }[]
    readonly withoutPlace: readonly unknown[]
  }>(cloud, objects, (options, streams) => runRemove(['old'], options as never, streams as never))
  expect(withoutPlace).toEqual([])
  expect(newNodes.map(({ cheapest }) => cheapest.zone)).toEqual([cloud.zone])
})

const launching = cases.flatMap(({ key, cloud: { here, launches, written } }) =>
  here === undefined || launches === undefined ? [] : [[`${key}=${written}`, { key, here, launches }] as const],
)
test.each(launching)('%s: the controller launches in the zone of the volume', async (_, { key, here, launches }) => {
  const launched = await launches(async (client) => {
    for (const object of [...boundVolume(key, here.written), podOf(usesClaim)]) {
      const { kind } = object as KubeObject
      await client.create(kinds[kind as 'Pod'], object as never)
    }
  })
  expect(launched).toEqual([here.zone])
})
