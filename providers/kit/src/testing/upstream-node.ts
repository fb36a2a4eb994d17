import { karpenterKinds, kinds, type Node, type NodeClaim, type NodePool, nodePoolHash } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { overConflicts } from '@kerf/runtime/testing'
import { nodeClaim, pod } from '@kerf/testing'

const FINALIZER = 'karpenter.sh/termination'
const STATUS = { subresource: 'status' } as const

/** A node of a public provider, before Kerf takes it over. */
export interface UpstreamNode {
  /** The NodePool, from `stampPool`. */
  readonly pool: NodePool
  /** The annotations and labels of the NodeClaim. The NodeClaim also gets the annotations of the NodePool. */
  readonly metadata: Required<Pick<NodeClaim['metadata'], 'name' | 'annotations' | 'labels'>>
  readonly spec: Pick<NodeClaim['spec'], 'nodeClassRef' | 'requirements' | 'taints'>
  readonly imageID?: string
  /** The Node as its kubelet registers it. */
  readonly node: Node
  /** The types of the NodeClaim's conditions. All of them are True. */
  readonly conditions: readonly string[]
  /** The time of all conditions, in RFC 3339. */
  readonly at: string
}

/** Writes the hash annotations of Karpenter's core to a NodePool. Returns the NodePool. */
export const stampPool = async (client: KubeClient, pool: NodePool): Promise<NodePool> => {
  const annotations = { 'karpenter.sh/nodepool-hash': nodePoolHash(pool), 'karpenter.sh/nodepool-hash-version': 'v3' }
  const body = { metadata: { annotations } }
  return client.patch(karpenterKinds.NodePool, { name: pool.metadata.name }, { type: 'merge', body })
}

/** Returns a condition that is True. */
export const trueCondition = (type: string, at: string) => ({
  ...{ type, status: 'True' as const, reason: type, message: '', lastTransitionTime: at, observedGeneration: 1 },
})

/** Creates an initialized NodeClaim, its Node, and a pod on the Node, as Karpenter's core leaves them. */
export const createUpstreamNode = async (client: KubeClient, upstream: UpstreamNode): Promise<void> => {
  const { pool, metadata, spec, imageID, node, conditions, at } = upstream
  const { name } = metadata
  const owner = (kind: string, { name: of, uid = '' }: { readonly name: string; readonly uid?: string }) => [
    { apiVersion: 'karpenter.sh/v1', kind, name: of, uid, blockOwnerDeletion: true },
  ]
  const annotations = { ...metadata.annotations, ...pool.metadata.annotations }
  const claim = await client.create(karpenterKinds.NodeClaim, {
    ...nodeClaim(name, { spec: { ...spec, expireAfter: '720h', resources: {} } }),
    metadata: {
      ...{ ...metadata, annotations, finalizers: [FINALIZER] },
      ownerReferences: owner('NodePool', pool.metadata),
    },
  })
  const reached = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' }
  await client.create(kinds.Node, {
    ...node,
    metadata: {
      ...{ ...node.metadata, annotations, finalizers: [FINALIZER] },
      labels: { ...node.metadata.labels, ...metadata.labels, ...reached },
      ownerReferences: owner('NodeClaim', claim.metadata),
    },
    spec: { ...node.spec, taints: spec.taints ?? [] },
  })
  await client.patch(kinds.Node, { name }, { type: 'merge', body: { status: node.status } }, STATUS)
  const requests = { cpu: '500m', memory: '256Mi' }
  await client.create(kinds.Pod, {
    ...pod(`on-${name}`, { nodeName: name, requests, spec: { tolerations: [{ operator: 'Exists' }] } }),
    metadata: { name: `on-${name}`, namespace: 'default' },
  })
  const status = {
    ...{ nodeName: name, providerID: node.spec.providerID, ...(imageID === undefined ? {} : { imageID }) },
    ...{ capacity: node.status?.capacity, allocatable: node.status?.allocatable },
    conditions: conditions.map((type) => trueCondition(type, at)),
  }
  await overConflicts(() =>
    client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body: { status } }, STATUS),
  )
}
