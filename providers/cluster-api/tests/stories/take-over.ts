import {
  HASH_VERSION,
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  nodePoolHash,
} from '@kerf/apis'
import { clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import { condition, nodeClaim } from '@kerf/testing'
import { expect } from 'vitest'
import { ClusterApiStory, EMPTY_GO } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'
import { clusterApiKinds, type Machine } from '../src/kinds.ts'

const NAME = 'carried'
const TERMINATION = 'karpenter.sh/termination'
const SETTLED = ['Launched', 'Registered', 'Initialized', 'Ready'] as const

/** The objects that upstream's provider left in a cluster. */
export interface Carried {
  readonly story: ClusterApiStory
  readonly before: Touchable
}

/** Everything that a provider can change, without the status that kubelets and Cluster API write. */
interface Touchable {
  readonly machines: readonly unknown[]
  readonly deployment: unknown
  readonly nodes: readonly unknown[]
  readonly claims: readonly unknown[]
}

const byName = (a: { readonly metadata: { readonly name: string } }, b: typeof a): number =>
  a.metadata.name < b.metadata.name ? -1 : 1

const lookAt = async (story: ClusterApiStory): Promise<Touchable> => {
  const machines = (await story.machines()).toSorted(byName)
  const deployment = await story.deployment()
  const nodes = (await story.nodes()).toSorted(byName)
  const claims = (await story.claims()).toSorted(byName)
  return {
    // Kerf does not write to idle Machines, so their resourceVersion stays the same.
    machines: machines.map(({ metadata, spec }) => [metadata.uid, metadata.resourceVersion, spec]),
    deployment: [deployment.metadata.resourceVersion, deployment.spec],
    // The kubelets report every ten seconds, which changes the resourceVersion.
    nodes: nodes.map(({ metadata: { resourceVersion: _, managedFields: __, ...metadata }, spec }) => [metadata, spec]),
    claims: claims.map(({ metadata: { resourceVersion: _, managedFields: __, ...metadata }, spec, status }) => [
      metadata,
      spec,
      status?.providerID,
      (status?.conditions ?? []).filter(({ type }) => SETTLED.some((each) => each === type)),
    ]),
  }
}

/** Binds a NodeClaim and a Machine as upstream does: with a label on the Machine and an annotation on the NodeClaim, without UIDs. */
const bindAsUpstream = async (story: ClusterApiStory, machine: Machine, index: number): Promise<NodeClaim> => {
  const { client, nodes } = story.harness
  const { namespace = '', name } = machine.metadata
  const label = { metadata: { labels: { 'node.cluster.x-k8s.io/karpenter-member': '' } } }
  await client.patch(clusterApiKinds.Machine, { namespace, name }, { type: 'merge', body: label })
  const pool = await nodes.get(karpenterKinds.NodePool, { name: NAME })
  const { group, kind } = clusterApiNodeClassKind
  const {
    uid: _,
    creationTimestamp: __,
    ...metadata
  } = nodeClaim(`${NAME}-${index}`, {
    pool: NAME,
    labels: {
      ...pool.spec.template.metadata?.labels,
      [labels.instanceType]: NAME,
      [labels.capacityType]: 'on-demand',
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
      'karpenter.cluster.x-k8s.io/clusterapinodeclass': NAME,
    },
    annotations: {
      'cluster.x-k8s.io/machine': `${namespace}/${name}`,
      'karpenter.sh/nodepool-hash': nodePoolHash(pool),
      'karpenter.sh/nodepool-hash-version': HASH_VERSION,
    },
  }).metadata
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: NAME, uid: pool.metadata.uid ?? '' }
  const claim = await nodes.create(karpenterKinds.NodeClaim, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { ...metadata, finalizers: [TERMINATION], ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
    spec: {
      expireAfter: 'Never',
      nodeClassRef: { group, kind, name: NAME },
      requirements: [
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
        { key: labels.instanceType, operator: 'In', values: [NAME] },
        { key: labels.nodePool, operator: 'In', values: [NAME] },
      ],
      resources: { requests: { cpu: '3', pods: '1' } },
    },
  })
  const capacity = { cpu: '4', memory: '8Gi' }
  const status = {
    ...{ capacity, allocatable: capacity },
    providerID: machine.spec.providerID ?? '',
    nodeName: name,
    conditions: SETTLED.map((type) => condition(type)),
  }
  const body = { status }
  return await nodes.patch(
    karpenterKinds.NodeClaim,
    { name: claim.metadata.name },
    { type: 'merge', body },
    {
      subresource: 'status',
    },
  )
}

/** Creates the state of a Node after upstream's registration and initialization. */
const joinAsUpstream = async (harness: ClusterApiHarness, claim: NodeClaim): Promise<Node> => {
  const name = claim.status?.nodeName ?? ''
  const { spec } = await harness.nodes.get(kinds.Node, { name })
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claim.metadata.name, uid: claim.metadata.uid }
  const body = {
    metadata: {
      labels: { ...claim.metadata.labels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' },
      annotations: {
        'karpenter.sh/nodepool-hash': claim.metadata.annotations?.['karpenter.sh/nodepool-hash'],
        'karpenter.sh/nodepool-hash-version': HASH_VERSION,
      },
      finalizers: [TERMINATION],
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: { taints: (spec.taints ?? []).filter(({ key }) => key !== 'karpenter.sh/unregistered') },
  }
  return await harness.nodes.patch(kinds.Node, { name }, { type: 'merge', body })
}

/** Creates two nodes of upstream's provider with one pod each. Call it before Kerf starts. */
export const prepareTakeOver = async (harness: ClusterApiHarness): Promise<Carried> => {
  const story = await ClusterApiStory.open(harness, NAME, { deployments: { [NAME]: { replicas: 2 } } })
  const pool = await harness.nodes.get(karpenterKinds.NodePool, { name: NAME })
  const stamps = {
    'karpenter.sh/nodepool-hash': nodePoolHash(pool),
    'karpenter.sh/nodepool-hash-version': HASH_VERSION,
  }
  const body = { metadata: { annotations: stamps } }
  await harness.nodes.patch(karpenterKinds.NodePool, { name: NAME }, { type: 'merge', body })
  await story.until('two nodes that are ready and labelled', async () => {
    const names = (await story.machines()).flatMap(({ status }) => status?.nodeRef?.name ?? [])
    const nodes = (await harness.nodes.list(kinds.Node)).items.filter(({ metadata }) => names.includes(metadata.name))
    return (
      nodes.length === 2 &&
      nodes.every(
        (node) =>
          isConditionTrue(node, 'Ready') &&
          node.spec.taints?.every(({ key }) => key !== 'node.cluster.x-k8s.io/uninitialized'),
      )
    )
  })
  for (const [index, machine] of (await story.machines()).entries())
    await joinAsUpstream(harness, await bindAsUpstream(story, machine, index))
  await story.deploy(2, '3')
  await story.settledAt(2)
  let before = await lookAt(story)
  // Waits for the last writes of Cluster API and kube-scheduler.
  await harness.until('a cluster at rest', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const [then, now] = [JSON.stringify(before), await lookAt(story)]
    before = now
    return then === JSON.stringify(now)
  })
  return { story, before }
}

/** Asserts that Kerf reports each missing permission of upstream's role with its remedy, and can still plan all pods. */
export const expectMissingPermissions = async ({ story }: Carried): Promise<void> => {
  for (const [verb, resource] of [
    ['delete', 'machines'],
    ['list', 'machinesets'],
    ['list', 'clusters'],
  ] as const)
    await story.reports('MembersClear=False', [
      'ManagementPermissionMissing',
      `Kerf cannot ${verb} ${resource}.cluster.x-k8s.io`,
      `grant ${verb} on ${resource}.cluster.x-k8s.io`,
    ])
  expect(isConditionTrue(await story.nodeClass(), 'Ready')).toBe(true)
}

/** Asserts that Kerf has run for a while without changing a Machine, Node or NodeClaim. */
export const expectUntouched = async ({ story, before }: Carried): Promise<void> => {
  const after = await lookAt(story)
  expect(after.machines).toEqual(before.machines)
  expect(after.deployment).toEqual(before.deployment)
  expect(after.nodes).toEqual(before.nodes)
  expect(after.claims).toEqual(before.claims)
  for (const claim of await story.claims()) expect(isConditionTrue(claim, 'Drifted')).toBe(false)
}

/** Asserts that Kerf manages upstream's two nodes like its own. It deletes the empty node first, and then the other one. */
export const runEndOfCarriedStory = async ({ story }: Carried): Promise<void> => {
  const machines = (await story.machines()).toSorted(byName)
  const [staying, going] = machines
  await story.patchPool({ disruption: EMPTY_GO })
  await story.markToGo(new Set([going?.metadata.name ?? '']))
  await story.scale(1)
  await story.machinesSettledAt(1)
  expect((await story.machines()).map(({ metadata }) => metadata.uid)).toEqual([staying?.metadata.uid])
  await story.settledAt(1)
  await story.scale(0)
  await story.machinesSettledAt(0)
  await story.until('no claim', async () => (await story.claims()).length === 0)
  expect(await story.nodes()).toEqual([])
  await story.replicasAt(0)
}
