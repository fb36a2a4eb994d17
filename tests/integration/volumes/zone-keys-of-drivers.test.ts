import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type NodePool } from '@kerf/apis'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { LOCATION } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import type { KubeClient } from '@kerf/runtime'
import { node, nodeClaim, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../packages/cli/src/plan/run-plan.ts'
import { providers } from '../../../packages/cli/src/providers.ts'
import { runRemove } from '../../../packages/cli/src/simulate/run-remove.ts'
import { startFakeAwsStory } from '../../../providers/aws/tests/kerf-on-fake-aws.ts'
import { nodePool } from '../../../providers/aws/tests/node-pool.ts'
import { startFakeAzureStory } from '../../../providers/azure/tests/kerf-on-fake-azure.ts'

/** A cloud in which a volume belongs to one zone. */
interface Cloud {
  readonly provider: string
  readonly region: string
  readonly nodeClass: KubeObject
  /** The zone as the driver of its volumes writes it. */
  readonly written: string
  /** The zone label of nodes in that zone. */
  readonly zone: string
  readonly type: string
  /** The zone of a volume in the simulated cloud of this test. */
  readonly here: { readonly written: string; readonly zone: string }
  /** Returns the zones in which Kerf launches nodes for the objects that `prepare` creates. */
  readonly launches: (prepare: (client: KubeClient) => Promise<unknown>) => Promise<readonly string[]>
}

const aws: Cloud = {
  provider: 'aws',
  region: 'us-east-1',
  nodeClass: ec2NodeClass('default'),
  written: 'us-east-1b',
  zone: 'us-east-1b',
  type: 'm5.large',
  here: { written: 'us-east-1b', zone: 'us-east-1b' },
  launches: async (prepare) => {
    const story = await startFakeAwsStory(1)
    onTestFinished(() => story.close())
    await story.client.create(karpenterKinds.NodePool, nodePool())
    await prepare(story.client)
    await story.pass(60)
    return story.aws.ec2.launches.map(({ zone }) => zone)
  },
}

const azure: Cloud = {
  provider: 'azure',
  region: 'westeurope',
  nodeClass: aksNodeClass('default'),
  written: 'westeurope-2',
  zone: 'westeurope-2',
  type: 'Standard_D4s_v5',
  here: { written: `${LOCATION}-2`, zone: `${LOCATION}-2` },
  launches: async (prepare) => {
    const story = await startFakeAzureStory({ replicas: 0 })
    onTestFinished(() => story.close())
    await prepare(story.client)
    await story.pass(60)
    return story.vms().map(({ location, zones = [] }) => (zones.length === 0 ? '0' : `${location}-${zones[0]}`))
  },
}

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

/** Returns a claim whose StorageClass provisions volumes in one zone, named with this key. */
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
  return nodePool({
    template: {
      spec: {
        nodeClassRef: { group, kind: nodeClass.kind, name: 'default' },
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

const cases = [
  { cloud: aws, key: 'topology.ebs.csi.aws.com/zone' },
  { cloud: azure, key: 'topology.disk.csi.azure.com/zone' },
  // A VM without zones, in the notation of its disk driver.
  {
    cloud: { ...azure, written: '', zone: '0', here: { written: '', zone: '0' } },
    key: 'topology.disk.csi.azure.com/zone',
  },
] as const
const named = cases.map((each) => [`${each.key}=${each.cloud.written}`, each] as const)

test('the cases cover all aliases of all providers', () => {
  const aliases = providers.flatMap(({ labels }) => labels.aliases.map(({ alias }) => alias))
  expect([...new Set(cases.map(({ key }) => key))]).toEqual(aliases)
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

test.each(named)('%s: the controller launches in the zone of the volume', async (_, { cloud, key }) => {
  const launched = await cloud.launches(async (client) => {
    for (const object of [...boundVolume(key, cloud.here.written), podOf(usesClaim)]) {
      const { kind } = object as KubeObject
      await client.create(kinds[kind as 'Pod'], object as never)
    }
  })
  expect(launched).toEqual([cloud.here.zone])
})
