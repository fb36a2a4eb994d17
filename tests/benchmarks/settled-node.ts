import {
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NodeClaimSpec,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

type Strings = Readonly<Record<string, string>>

/** A NodeClaim whose Node was initialized long ago. */
export interface SettledNode {
  readonly pool: NodePool
  readonly claimName: string
  readonly nodeName: string
  readonly providerID: string
  readonly imageID: string
  readonly labels: Strings
  readonly claimAnnotations: Strings
  readonly nodeAnnotations?: Strings
  readonly spec: NodeClaimSpec
  readonly capacity: Strings
  readonly allocatable: Strings
  /** The transition time of the conditions, as a timestamp of the API. */
  readonly since: string
}

const ownerOf = (kind: ResourceKind, { metadata }: KubeObject) => ({
  ...{ apiVersion: groupVersion(kind), kind: kind.kind, name: metadata.name, uid: metadata.uid ?? '' },
  blockOwnerDeletion: true,
})

/** Creates the NodeClaim and the Node as Kerf and the kubelet leave them after initialization. */
export const createSettledNode = async (client: KubeClient, settled: SettledNode): Promise<void> => {
  const { claimName, nodeName, providerID, imageID, labels, capacity, allocatable, since } = settled
  const status = <T extends KubeObject>(kind: ResourceKind<T>, name: string, value: unknown): Promise<T> =>
    client.patch(kind, { name }, { type: 'merge', body: { status: value } }, { subresource: 'status' })
  const claim = await client.create(karpenterKinds.NodeClaim, {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: {
      name: claimName,
      annotations: settled.claimAnnotations,
      finalizers: ['karpenter.sh/termination'],
      labels,
      ownerReferences: [ownerOf(karpenterKinds.NodePool, settled.pool)],
    },
    spec: settled.spec,
  })
  await client.create(kinds.Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName,
      finalizers: ['karpenter.sh/termination'],
      ...(settled.nodeAnnotations === undefined ? {} : { annotations: settled.nodeAnnotations }),
      labels: {
        ...labels,
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
        'kubernetes.io/hostname': nodeName,
      },
      ownerReferences: [ownerOf(karpenterKinds.NodeClaim, claim)],
    },
    spec: { providerID },
  })
  await status(kinds.Node, nodeName, {
    ...{ capacity, allocatable },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: since }],
  })
  const conditions = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({
    ...{ type, status: 'True', reason: type, message: '', lastTransitionTime: since, observedGeneration: 1 },
  }))
  await status(karpenterKinds.NodeClaim, claimName, {
    capacity,
    allocatable,
    conditions,
    imageID,
    nodeName,
    providerID,
  })
}
