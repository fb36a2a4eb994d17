import { fileURLToPath } from 'node:url'
import {
  annotations,
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type Pod,
  type ResourceClaim,
} from '@kerf/apis'
import { expect } from 'vitest'
import { applyExample } from './manifests.ts'
import { claims, ourNodes } from './nginx-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** The instance types of the example: with two small devices, and with one large device. */
export const deviceInstanceTypes = fileURLToPath(
  new URL('../../../examples/devices/instance-types.json', import.meta.url),
)

const DRIVER = 'gpu.example.com'

const podsOf = async ({ client }: StoryCluster, app: string): Promise<readonly Pod[]> => {
  const { items } = await client.list(kinds.Pod, { namespace: 'default', labelSelector: `app=${app}` })
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running'

/** Returns the devices that kube-scheduler allocated to a pod, as `pool/device`. */
const podDevices = (pod: Pod, all: readonly ResourceClaim[]): readonly string[] => {
  const names = pod.spec.resourceClaims?.map(
    ({ name, resourceClaimName }) =>
      resourceClaimName ?? pod.status?.resourceClaimStatuses?.find((each) => each.name === name)?.resourceClaimName,
  )
  return all
    .filter(({ metadata }) => names?.includes(metadata.name))
    .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
    .map(({ pool, device }) => `${pool}/${device}`)
}

const typesOf = (launched: readonly NodeClaim[]): readonly (string | undefined)[] =>
  launched.map(({ metadata }) => metadata.labels?.[labels.instanceType]).sort()

/**
 * Pods claim devices that no node of the cluster has. Kerf launches nodes that will have them, the drivers publish the devices,
 * and kube-scheduler allocates and binds as planned. One device is left over, and the next pod gets it without a new node. When no
 * pod needs the nodes, Kerf deletes them with their ResourceSlices.
 */
export const runDevicesStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  await applyExample(client, 'devices/cluster.yaml', () => cluster.pass(0.2))
  const pool = { spec: { disruption: { consolidateAfter: 'Never' } } }
  await client.patch(karpenterKinds.NodePool, { name: 'devices' }, { type: 'merge', body: pool })
  await applyExample(client, 'devices/workers.yaml', () => cluster.pass(0.2))

  const areRunning = async (count: number): Promise<boolean> => {
    const [workers, trainers] = [await podsOf(cluster, 'worker'), await podsOf(cluster, 'trainer')]
    return workers.length === count && [...workers, ...trainers].every(isRunning) && trainers.length === 1
  }
  await cluster.until('three workers and the trainer to run', () => areRunning(3))
  const launched = await claims(client)
  expect(typesOf(launched)).toEqual(['gpu-2x', 'gpu-2x', 'gpu-big'])
  for (const { metadata } of launched) expect(metadata.annotations?.[annotations.requestedDraDrivers]).toBe(DRIVER)
  await cluster.until('every claim to be initialised', async () =>
    (await claims(client)).every((claim) => isConditionTrue(claim, 'Initialized')),
  )

  await assertOneDeviceEach(cluster)
  await client.patch(
    kinds.Deployment,
    { name: 'worker', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas: 4 } } },
  )
  await cluster.until('four workers to run', () => areRunning(4))
  expect((await claims(client)).map(({ metadata }) => metadata.name).sort()).toEqual(
    launched.map(({ metadata }) => metadata.name).sort(),
  )
  await assertOneDeviceEach(cluster)

  await client.delete(kinds.Deployment, { name: 'worker', namespace: 'default' })
  await client.delete(kinds.Pod, { name: 'trainer', namespace: 'default' })
  const quick = { spec: { disruption: { consolidateAfter: '0s' } } }
  await client.patch(karpenterKinds.NodePool, { name: 'devices' }, { type: 'merge', body: quick })
  await cluster.until('every machine to be gone', async () => (await claims(client)).length === 0, 240)
  await cluster.until(
    'what they published to be gone',
    async () => (await client.list(kinds.ResourceSlice)).items.length === 0,
  )
}

/** Checks that every pod has its own device, on the node of the pod. */
const assertOneDeviceEach = async (cluster: StoryCluster): Promise<void> => {
  const all = (await cluster.client.list(kinds.ResourceClaim)).items
  const nodes = new Set<string | undefined>((await ourNodes(cluster.client)).map(({ metadata }) => metadata.name))
  const taken: string[] = []
  for (const pod of [...(await podsOf(cluster, 'worker')), ...(await podsOf(cluster, 'trainer'))]) {
    const own = podDevices(pod, all)
    expect(own).toHaveLength(1)
    expect(nodes.has(pod.spec.nodeName)).toBe(true)
    expect(own[0]?.startsWith(`${pod.spec.nodeName}/`), `${pod.metadata.name} on ${pod.spec.nodeName}: ${own}`).toBe(
      true,
    )
    taken.push(...own)
  }
  expect(new Set(taken).size).toBe(taken.length)
}
