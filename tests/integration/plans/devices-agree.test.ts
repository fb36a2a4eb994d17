import {
  groupVersion,
  type KubeObject,
  kinds,
  type Node,
  type Pod,
  type ResourceClaim,
  type ResourceKind,
} from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import type { KubeClient } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { buildSnapshot } from '../../../packages/cli/src/plan/load-snapshot.ts'
import { schedule } from '../../../packages/engine/src/testing/core-labels.ts'
import { claim, GPU } from '../facts/devices.ts'
import { clusterWait } from '../story/cluster-state.ts'
import { httpClient } from '../story/story-cluster.ts'
import { CASE, type DeviceCase, deviceCases } from './device-cases.ts'

const ADMIN = 'resource.kubernetes.io/admin-access'

const nodeOf = ({ name }: DeviceCase): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [CASE]: name, 'kubernetes.io/hostname': name } },
  spec: {},
  status: {
    capacity: { cpu: '16', memory: '32Gi', pods: '50' },
    allocatable: { cpu: '16', memory: '32Gi', pods: '50' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
  },
})

const claimsOf = ({ name, claims }: DeviceCase): readonly ResourceClaim[] =>
  claims.map(({ requests, constraints = [] }, index) => claim(`${name}-${index}`, requests, { constraints }))

const podsOf = ({ name, claims }: DeviceCase): readonly Pod[] =>
  claims.flatMap(({ pods = 1 }, index) =>
    Array.from({ length: pods }, (_, place) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${name}-${index}-${place}`, namespace: 'default', labels: { [CASE]: name } },
      spec: {
        nodeSelector: { [CASE]: name },
        tolerations: [{ operator: 'Exists' }],
        resourceClaims: [{ name: 'devices', resourceClaimName: `${name}-${index}` }],
        containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }],
      },
    })),
  )

/**
 * Returns all objects that Kerf reads, as the API server stores them. Neither Kerf nor kube-scheduler sees fields that disabled feature
 * gates drop.
 */
const read = async (client: KubeClient): Promise<readonly KubeObject[]> => {
  const readKinds: readonly ResourceKind[] = [
    kinds.Node,
    kinds.Pod,
    kinds.DeviceClass,
    kinds.ResourceSlice,
    kinds.ResourceClaim,
  ]
  const lists = await Promise.all(
    readKinds.map(async (kind) => {
      const { items } = await client.list(kind)
      return items.map((item): KubeObject => ({ ...item, apiVersion: groupVersion(kind), kind: kind.kind }))
    }),
  )
  return lists.flat()
}

/** Returns how many pending pods Kerf would place on each existing node. */
const plannedBy = (objects: readonly KubeObject[]): ReadonlyMap<string, number> => {
  const waiting = objects.map((object): KubeObject => {
    if (object.kind !== 'Pod') return object
    const { status: _, ...pod } = object as Pod
    return pod
  })
  const { snapshot, pending } = buildSnapshot(
    waiting.map((object) => ({ object, file: 'cluster', line: 0 })),
    () => [],
  )
  const { placements } = schedule(snapshot, pending, { ignoreDraRequests: false })
  return new Map(placements.map(({ node, pods }) => [node, pods.length]))
}

/** Returns whether kube-scheduler has bound the pod, or has refused it as unschedulable or because of an error in its ResourceClaim. */
const isDecided = ({ spec, status }: Pod): boolean =>
  (spec.nodeName ?? '') !== '' || status?.conditions?.some(({ type }) => type === 'PodScheduled') === true

describeWithCustomResources('kube-scheduler, asked for devices', (cluster) => {
  test('kube-scheduler binds as many pods of each case as the engine places', async () => {
    const client = httpClient(cluster())
    try {
      const labels = { metadata: { labels: { [ADMIN]: 'true' } } }
      await client.patch(kinds.Namespace, { name: 'default' }, { type: 'merge', body: labels })
      await client.create(kinds.DeviceClass, GPU)
      for (const each of deviceCases) {
        await client.create(kinds.Node, nodeOf(each))
        for (const [index, slice] of each.slices(each.name).entries()) {
          // The slice has no owner, because the garbage collector deletes objects whose owner does not exist.
          await client.create(kinds.ResourceSlice, { ...slice, metadata: { name: `${each.name}-${index}` } })
        }
        for (const wanted of claimsOf(each)) await client.create(kinds.ResourceClaim, wanted)
      }
      const planned = plannedBy([
        ...(await read(client)),
        ...deviceCases.flatMap((each) => podsOf(each).map((pod): KubeObject => pod)),
      ])
      for (const each of deviceCases) for (const pod of podsOf(each)) await client.create(kinds.Pod, pod)
      const pods = async (): Promise<readonly Pod[]> => (await client.list(kinds.Pod, { namespace: 'default' })).items
      const isQuiet = async (): Promise<boolean> => (await pods()).every(isDecided)
      await untilTrue(isQuiet, clusterWait(client, 'kube-scheduler to look at every pod'))
      // kube-scheduler retries refused pods after allocations, so the test waits until it has finished.
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      const bound = Map.groupBy(
        (await pods()).filter(({ spec }) => (spec.nodeName ?? '') !== ''),
        ({ spec }) => spec.nodeName ?? '',
      )
      const table = (count: (name: string) => number | undefined) =>
        Object.fromEntries(deviceCases.map(({ name }) => [name, count(name) ?? 0]))
      expect(table((name) => planned.get(name))).toEqual(
        table((name) => deviceCases.find((each) => each.name === name)?.placed),
      )
      expect(table((name) => bound.get(name)?.length)).toEqual(table((name) => planned.get(name)))
    } finally {
      await client.patch(
        kinds.Namespace,
        { name: 'default' },
        { type: 'merge', body: { metadata: { labels: { [ADMIN]: null } } } },
      )
      await client.close()
    }
  })
})
