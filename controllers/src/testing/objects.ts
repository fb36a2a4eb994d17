import {
  apiVersionOf,
  type Condition,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@kerf/apis'

/** The least that makes an object of a kind, for tests to vary. */

const START = '2026-01-01T00:00:00Z'

type Partial1<T> = { readonly [K in keyof T]?: T[K] }

export const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } as const

export const condition = (type: string, status: Condition['status'] = 'True', reason = type): Condition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: START,
  observedGeneration: 1,
})

export const nodePool = (name: string, spec: Partial1<NodePool['spec']> = {}): NodePool => ({
  apiVersion: apiVersionOf(karpenterKinds.NodePool),
  kind: 'NodePool',
  metadata: { name, uid: `uid-${name}`, generation: 1, creationTimestamp: START, resourceVersion: '1' },
  spec: { template: { spec: { requirements: [], nodeClassRef } }, ...spec },
  status: { conditions: [condition('ValidationSucceeded'), condition('NodeClassReady'), condition('Ready')] },
})

export interface ClaimTraits {
  readonly pool?: string
  readonly providerID?: string
  readonly capacity?: Readonly<Record<string, string>>
  readonly conditions?: readonly Condition[]
  readonly deletionTimestamp?: string
  readonly spec?: Partial1<NodeClaim['spec']>
}

export const nodeClaim = (name: string, traits: ClaimTraits = {}): NodeClaim => ({
  apiVersion: apiVersionOf(karpenterKinds.NodeClaim),
  kind: 'NodeClaim',
  metadata: {
    name,
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: START,
    ...(traits.deletionTimestamp === undefined ? {} : { deletionTimestamp: traits.deletionTimestamp }),
    labels: { [labels.nodePool]: traits.pool ?? 'default', [labels.instanceType]: 's-4x' },
  },
  spec: { requirements: [], nodeClassRef, ...traits.spec },
  status: {
    ...(traits.providerID === undefined ? {} : { providerID: traits.providerID }),
    ...(traits.capacity === undefined ? {} : { capacity: traits.capacity, allocatable: traits.capacity }),
    ...(traits.conditions === undefined ? {} : { conditions: traits.conditions }),
  },
})

export interface NodeTraits {
  readonly pool?: string
  readonly providerID?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly capacity?: Readonly<Record<string, string>>
  readonly deletionTimestamp?: string
  readonly spec?: Partial1<Node['spec']>
}

/** With `pool` a managed node, without one somebody else's. */
export const node = (name: string, traits: NodeTraits = {}): Node => ({
  apiVersion: 'v1',
  kind: kinds.Node.kind,
  metadata: {
    name,
    uid: `uid-${name}`,
    creationTimestamp: START,
    ...(traits.deletionTimestamp === undefined ? {} : { deletionTimestamp: traits.deletionTimestamp }),
    labels: {
      ...(traits.pool === undefined ? {} : { [labels.nodePool]: traits.pool, [labels.instanceType]: 's-4x' }),
      ...traits.labels,
    },
  },
  spec: { ...(traits.providerID === undefined ? {} : { providerID: traits.providerID }), ...traits.spec },
  status: { capacity: traits.capacity ?? {}, allocatable: traits.capacity ?? {} },
})

export const ready = { [labels.registered]: 'true', [labels.initialized]: 'true' } as const

export interface PodTraits {
  readonly nodeName?: string
  readonly requests?: Readonly<Record<string, string>>
  readonly phase?: NonNullable<Pod['status']>['phase']
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name?: string; readonly uid?: string }
  readonly metadata?: Partial1<Pod['metadata']>
  readonly spec?: Partial1<Pod['spec']>
  readonly status?: Partial1<NonNullable<Pod['status']>>
}

/** Unschedulable unless it has a node. */
export const pod = (name: string, traits: PodTraits = {}): Pod => {
  const { owner } = traits
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      creationTimestamp: START,
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ name: 'owner', uid: 'owner', controller: true, ...owner }] }),
      ...traits.metadata,
    },
    spec: {
      containers: [{ name: 'main', image: 'nginx', resources: { requests: traits.requests ?? { cpu: '1' } } }],
      ...(traits.nodeName === undefined ? {} : { nodeName: traits.nodeName }),
      ...traits.spec,
    },
    status: {
      phase: traits.phase ?? (traits.nodeName === undefined ? 'Pending' : 'Running'),
      ...(traits.nodeName === undefined
        ? { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }
        : {}),
      ...traits.status,
    },
  }
}
