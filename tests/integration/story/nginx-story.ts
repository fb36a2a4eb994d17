import {
  finalizers,
  isConditionTrue,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type Pod,
  parseQuantity,
  taints,
} from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import { expect } from 'vitest'
import { follow } from './follow.ts'
import { applyExample } from './manifests.ts'
import type { StoryCluster } from './story-cluster.ts'

/** Returns the nginx pods that run and are Ready. */
export const running = async (client: KubeClient): Promise<readonly Pod[]> => {
  const { items } = await client.list(kinds.Pod, { namespace: 'default', labelSelector: 'app=nginx' })
  return items.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status?.phase === 'Running' &&
      status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
  )
}

const pods = async (client: KubeClient): Promise<number> =>
  (await client.list(kinds.Pod, { namespace: 'default', labelSelector: 'app=nginx' })).items.length

/** Returns the Nodes that Kerf manages. */
export const ourNodes = async (client: KubeClient): Promise<readonly Node[]> =>
  (await client.list(kinds.Node, { labelSelector: labels.nodePool })).items

/** Returns all NodeClaims. */
export const claims = async (client: KubeClient): Promise<readonly NodeClaim[]> =>
  (await client.list(karpenterKinds.NodeClaim)).items

const nodeNamed = async (client: KubeClient, name: string): Promise<Node | undefined> => {
  try {
    return await client.get(kinds.Node, { name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Sets the replicas of the nginx Deployment. */
export const scale = (client: KubeClient, replicas: number): Promise<unknown> =>
  client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

/** Checks that every pod fits on its managed node, and that NodeClaims and instances match one to one. */
const assertSound = async (client: KubeClient): Promise<void> => {
  const nodes = new Map((await ourNodes(client)).map((node) => [node.metadata.name, node]))
  const used = new Map<string, bigint>()
  for (const pod of await running(client)) {
    const name = pod.spec.nodeName ?? ''
    expect(nodes.has(name), `${pod.metadata.name} runs on ${name}, a node of ours`).toBe(true)
    const cpu = parseQuantity(pod.spec.containers[0]?.resources?.requests?.['cpu'] ?? '0')
    used.set(name, (used.get(name) ?? 0n) + cpu)
  }
  for (const [name, cpu] of used) {
    const allocatable = parseQuantity(nodes.get(name)?.status?.allocatable?.['cpu'] ?? '0')
    expect(cpu, `CPU asked for on ${name}`).toBeLessThanOrEqual(allocatable)
  }
  const living = await claims(client)
  for (const claim of living) expect(isConditionTrue(claim, 'Ready'), `${claim.metadata.name} is Ready`).toBe(true)
  const byName = (a: string, b: string): number => (a < b ? -1 : 1)
  expect(living.map(({ status }) => status?.providerID ?? '').sort(byName)).toEqual(
    [...nodes.values()].map(({ spec }) => spec.providerID ?? '').sort(byName),
  )
}

/** Waits until exactly this many pods run, and every NodeClaim has a node. */
export const settledAt = async (cluster: StoryCluster, replicas: number): Promise<void> => {
  const { client } = cluster
  await cluster.until(
    `${replicas} nginx pods running and nothing else`,
    async () => (await running(client)).length === replicas && (await pods(client)) === replicas,
  )
  await cluster.until('every claim Ready', async () =>
    (await claims(client)).every((claim) => isConditionTrue(claim, 'Ready')),
  )
  await assertSound(client)
}

/**
 * Ten nginx pods get nodes, then fifty. Then there are no pods, and Kerf deletes the nodes. Then ten pods get nodes again, and a user
 * deletes one node.
 */
export const runNginxStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const retry = (): Promise<void> => cluster.pass(0.2)
  await applyExample(client, 'quickstart/nodepool.yaml', retry)
  await applyExample(client, 'quickstart/nginx.yaml', retry)
  await settledAt(cluster, 10)
  const first = await ourNodes(client)
  expect(first.length).toBeGreaterThan(0)

  await scale(client, 50)
  await settledAt(cluster, 50)
  await scale(client, 0)
  await cluster.until('no nginx pod left', async () => (await pods(client)) === 0)
  // With the default budget, Kerf would delete the nodes one by one.
  const disruption = { budgets: [{ nodes: '100%' }] }
  await client.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: { spec: { disruption } } })
  await cluster.until('every empty node to be gone', async () => (await ourNodes(client)).length === 0)
  await cluster.until('every claim to be gone', async () => (await claims(client)).length === 0)
  await scale(client, 10)
  await settledAt(cluster, 10)

  const victim = (await running(client))[0]?.spec.nodeName ?? ''
  const providerID = (await nodeNamed(client, victim))?.spec.providerID
  let isClosed = false
  const { stop } = await follow(client, kinds.Node, { fieldSelector: `metadata.name=${victim}` }, (node) => {
    const isTainted = node.spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) === true
    if (isTainted && node.metadata.finalizers?.includes(finalizers.termination) === true) isClosed = true
  })
  await client.delete(kinds.Node, { name: victim })
  await cluster.until('the deleted node to be gone', async () => (await nodeNamed(client, victim)) === undefined)
  await stop()
  expect(isClosed, 'the node waits for its finalizer, closed to pods').toBe(true)
  await cluster.until('its claim to be gone', async () =>
    (await claims(client)).every(({ status }) => status?.providerID !== providerID),
  )
  await settledAt(cluster, 10)
  for (const pod of await running(client)) expect(pod.spec.nodeName).not.toBe(victim)
}
