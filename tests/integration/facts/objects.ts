import type {
  Container,
  ContainerPort,
  NodePool,
  NodeSelectorRequirement,
  OwnerReference,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodAffinityTerm,
  PodSpec,
  PodStatus,
  StorageClass,
  Taint,
  Toleration,
  TopologySpreadConstraint,
  Volume,
} from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import { nodePool as buildNodePool, pod as buildPod, condition } from '@kerf/testing'

export type LabelMap = Readonly<Record<string, string>>
type Expressions = readonly NodeSelectorRequirement[]

/** A short notation for a pod. */
export interface PodTraits {
  readonly namespace?: string
  readonly labels?: LabelMap
  readonly cpu?: string
  readonly memory?: string
  /** Requests in addition to cpu and memory. */
  readonly requests?: LabelMap
  readonly selector?: LabelMap
  /** The alternatives of the required node affinity terms. */
  readonly either?: readonly Expressions[]
  /** Required node affinity with a single term. */
  readonly needs?: Expressions
  /** Preferred node affinity. By default, the weights descend from 100. */
  readonly prefers?: readonly (Expressions | { readonly weight: number; readonly of: Expressions })[]
  readonly spread?: readonly TopologySpreadConstraint[]
  readonly near?: readonly PodAffinityTerm[]
  readonly away?: readonly PodAffinityTerm[]
  readonly prefersNear?: readonly PodAffinityTerm[]
  readonly prefersAway?: readonly PodAffinityTerm[]
  readonly tolerations?: readonly Toleration[]
  readonly ports?: readonly Omit<ContainerPort, 'containerPort'>[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly owner?: Pick<OwnerReference, 'apiVersion' | 'kind'> & Partial<OwnerReference>
  readonly uid?: string
  readonly created?: string
  readonly deleted?: boolean
  readonly spec?: Partial<PodSpec>
  readonly status?: PodStatus
}

const WAITING: PodStatus = {
  phase: 'Pending',
  conditions: [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ],
}

const hasAny = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0

const weighted = (terms: readonly PodAffinityTerm[]) =>
  terms.map((podAffinityTerm, index) => ({ weight: 100 - index, podAffinityTerm }))

const affinityOf = (traits: PodTraits): Pick<PodSpec, 'affinity'> => {
  const { needs, either = needs === undefined ? [] : [needs], prefers = [] } = traits
  const nodeAffinity = {
    ...(either.length > 0
      ? {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: either.map((matchExpressions) => ({ matchExpressions })),
          },
        }
      : {}),
    ...(prefers.length > 0
      ? {
          preferredDuringSchedulingIgnoredDuringExecution: prefers.map((each, index) =>
            'weight' in each
              ? { weight: each.weight, preference: { matchExpressions: each.of } }
              : { weight: 100 - index, preference: { matchExpressions: each } },
          ),
        }
      : {}),
  }
  const pods = (required: readonly PodAffinityTerm[] = [], preferred: readonly PodAffinityTerm[] = []) => ({
    ...(required.length > 0 ? { requiredDuringSchedulingIgnoredDuringExecution: required } : {}),
    ...(preferred.length > 0 ? { preferredDuringSchedulingIgnoredDuringExecution: weighted(preferred) } : {}),
  })
  const affinity = {
    ...(either.length > 0 || prefers.length > 0 ? { nodeAffinity } : {}),
    ...(hasAny(traits.near) || hasAny(traits.prefersNear)
      ? { podAffinity: pods(traits.near, traits.prefersNear) }
      : {}),
    ...(hasAny(traits.away) || hasAny(traits.prefersAway)
      ? { podAntiAffinity: pods(traits.away, traits.prefersAway) }
      : {}),
  }
  return Object.keys(affinity).length === 0 ? {} : { affinity }
}

/** Returns a pod. By default, kube-scheduler has marked it as unschedulable. */
export const pod = (name: string, traits: PodTraits = {}): Pod => {
  const { cpu, memory, requests, ports } = traits
  const amounts = {
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...requests,
  }
  const built = buildPod(name, {
    namespace: traits.namespace,
    labels: traits.labels,
    owner: traits.owner,
    deletionTimestamp: traits.deleted === true ? '2026-01-01T00:00:00Z' : undefined,
    spec: {
      containers: [
        {
          name: 'main',
          ...(Object.keys(amounts).length === 0 ? {} : { resources: { requests: amounts } }),
          ...(ports === undefined ? {} : { ports: ports.map((port) => ({ containerPort: 80, ...port })) }),
        },
      ],
      ...(traits.initContainers === undefined ? {} : { initContainers: traits.initContainers }),
      ...(traits.selector === undefined ? {} : { nodeSelector: traits.selector }),
      ...affinityOf(traits),
      ...(traits.spread === undefined ? {} : { topologySpreadConstraints: traits.spread }),
      ...(traits.tolerations === undefined ? {} : { tolerations: traits.tolerations }),
      ...(traits.volumes === undefined ? {} : { volumes: traits.volumes }),
      ...traits.spec,
    },
    metadata: {
      uid: traits.uid ?? `uid-${traits.namespace ?? 'default'}-${name}`,
      ...(traits.created === undefined ? {} : { creationTimestamp: traits.created }),
    },
  })
  return { ...built, status: traits.status ?? WAITING }
}

/** Returns a copy of the pod that runs on a node. */
export const running = (of: Pod, nodeName: string): Pod => ({
  ...of,
  spec: { ...of.spec, nodeName },
  status: of.status?.phase === undefined || of.status.phase === 'Pending' ? { phase: 'Running' } : of.status,
})

/** Returns a DaemonSet pod in the form of `ClusterSnapshot.daemonPods`. */
export const daemon = (name: string, traits: PodTraits = {}): Pod =>
  pod(name, {
    namespace: 'kube-system',
    owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' },
    status: {},
    ...traits,
  })

export const is = (name: string, operator: NodeSelectorRequirement['operator'], ...values: readonly string[]) =>
  ({ key: name, operator, ...(values.length > 0 ? { values } : {}) }) satisfies NodeSelectorRequirement

interface SpreadTraits extends Partial<Omit<TopologySpreadConstraint, 'topologyKey' | 'labelSelector'>> {
  /** The labels of the pods to count. `null` means that there is no selector. */
  readonly of?: LabelMap | null
  readonly soft?: boolean
}

export const web: LabelMap = { app: 'web' }

/** Returns a topology spread constraint on a label. By default, it counts the `web` pods and has a maxSkew of 1. */
export const spread = (topologyKey: string, traits: SpreadTraits = {}): TopologySpreadConstraint => {
  const { of = web, soft, ...rest } = traits
  return {
    topologyKey,
    maxSkew: 1,
    whenUnsatisfiable: soft === true ? 'ScheduleAnyway' : 'DoNotSchedule',
    ...(of === null ? {} : { labelSelector: { matchLabels: of } }),
    ...rest,
  }
}

/** Returns a term of affinity or anti-affinity to pods with these labels. */
export const term = (
  topologyKey: string,
  of: LabelMap = web,
  rest: Partial<Omit<PodAffinityTerm, 'topologyKey'>> = {},
): PodAffinityTerm => ({ topologyKey, labelSelector: { matchLabels: of }, ...rest })

export const taint = (name: string, value = 'x', effect: Taint['effect'] = 'NoSchedule'): Taint => ({
  key: name,
  value,
  effect,
})

export interface PoolTraits {
  readonly weight?: number
  readonly requirements?: readonly RequirementSpec[]
  readonly labels?: LabelMap
  readonly annotations?: LabelMap
  readonly taints?: readonly Taint[]
  readonly startupTaints?: readonly Taint[]
  readonly limits?: LabelMap
  readonly replicas?: number
  readonly notReady?: boolean
  readonly deleting?: boolean
  readonly own?: Partial<NodePool['metadata']>
  readonly template?: Partial<NodePool['spec']['template']['spec']>
}

export const nodePool = (name: string, traits: PoolTraits = {}): NodePool => {
  const { labels, annotations, taints, startupTaints, requirements } = traits
  return buildNodePool(name, {
    weight: traits.weight,
    replicas: traits.replicas,
    limits: traits.limits,
    requirements,
    deletionTimestamp: traits.deleting === true ? '2026-01-01T00:00:00Z' : undefined,
    metadata: traits.own,
    templateMetadata: {
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    templateSpec: {
      nodeClassRef: { group: 'example.com', kind: 'TestNodeClass', name: 'default' },
      ...(taints === undefined ? {} : { taints }),
      ...(startupTaints === undefined ? {} : { startupTaints }),
      ...traits.template,
    },
    status: { conditions: [condition('Ready', traits.notReady === true ? 'False' : 'True')] },
  })
}

export const volume = (claimName: string): Volume => ({ name: claimName, persistentVolumeClaim: { claimName } })

export interface ClaimTraits {
  readonly class?: string
  readonly volume?: string
  readonly bound?: boolean
  readonly phase?: 'Pending' | 'Bound' | 'Lost'
  readonly deleted?: boolean
}

export const volumeClaim = (name: string, traits: ClaimTraits = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name,
    namespace: 'default',
    ...(traits.deleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    ...((traits.bound ?? traits.volume !== undefined)
      ? { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }
      : {}),
  },
  spec: {
    ...(traits.class === undefined ? {} : { storageClassName: traits.class }),
    ...(traits.volume === undefined ? {} : { volumeName: traits.volume }),
  },
  ...(traits.phase === undefined ? {} : { status: { phase: traits.phase } }),
})

export const persistentVolume = (
  name: string,
  terms: readonly Expressions[] = [],
  spec: Partial<PersistentVolume['spec']> = { csi: { driver: 'csi.example.com' } },
  deleted = false,
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: {
    ...spec,
    ...(terms.length === 0
      ? {}
      : {
          nodeAffinity: {
            required: { nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })) },
          },
        }),
  },
})

export const storageClass = (
  name: string,
  topologies: readonly (readonly [string, readonly string[]])[] = [],
  traits: Partial<StorageClass> = {},
): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  provisioner: 'csi.example.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...(topologies.length === 0
    ? {}
    : {
        allowedTopologies: topologies.map(([topologyKey, values]) => ({
          matchLabelExpressions: [{ key: topologyKey, values }],
        })),
      }),
  ...traits,
  metadata: { name, ...traits.metadata },
})
