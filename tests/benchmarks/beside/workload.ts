import {
  type Deployment,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { type KWOKNodeClass, kwokNodeClassKind } from '@kerf/provider-kwok/node-class'

/** One Deployment of the workload. */
interface Shape {
  readonly name: string
  readonly cpu: string
  readonly memory: string
  /** The Deployment's share of all pods, relative to the shares of the other Deployments. */
  readonly share: number
  readonly spec?: Partial<Pod['spec']>
}

const labelsOf = (name: string) => ({ app: name })

/** Pods that request much CPU, much memory, or little of both, as in most clusters. */
const PLAIN: readonly Shape[] = [
  { name: 'tiny', cpu: '250m', memory: '512Mi', share: 1 },
  { name: 'web', cpu: '500m', memory: '1Gi', share: 1 },
  { name: 'cache', cpu: '500m', memory: '4Gi', share: 1 },
  { name: 'worker', cpu: '1', memory: '1Gi', share: 1 },
  { name: 'api', cpu: '1', memory: '2Gi', share: 1 },
]

/** The pods of `PLAIN`, and pods that spread over zones, use anti-affinity, run on ARM or request much memory. */
const MIXED: readonly Shape[] = [
  ...PLAIN.map((shape) => ({ ...shape, share: 12 })),
  {
    name: 'zones',
    cpu: '500m',
    memory: '1Gi',
    share: 15,
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: labels.zone,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: labelsOf('zones') },
        },
      ],
    },
  },
  { name: 'arm', cpu: '500m', memory: '1Gi', share: 12, spec: { nodeSelector: { [labels.arch]: 'arm64' } } },
  { name: 'memory', cpu: '1', memory: '8Gi', share: 10 },
  {
    name: 'apart',
    cpu: '250m',
    memory: '512Mi',
    share: 3,
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: labels.hostname, labelSelector: { matchLabels: labelsOf('apart') } },
          ],
        },
      },
    },
  },
]

const WORKLOADS = { plain: PLAIN, mixed: MIXED }

/** The measured mix of pods. */
export type PodMix = keyof typeof WORKLOADS

export const NAMESPACE = 'default'
/** The label of every measured pod. */
export const MEASURED = 'beside.example.com/measured'

export type CapacityTypes = 'on-demand' | 'spot,on-demand'

export interface WorkloadChoice {
  readonly capacityTypes: CapacityTypes
  readonly podMix: PodMix
  /** The CPU limit of the NodePool. Absent if there is no limit. */
  readonly limitCpu?: string
}

/**
 * The CPUs of the largest instance type that may be launched. With this limit, a thousand pods need about fifty nodes, as in most clusters
 * of this size.
 */
const LARGEST_CPU = 16

const nodePool = ({ capacityTypes, limitCpu }: WorkloadChoice): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    ...(limitCpu !== undefined && { limits: { cpu: limitCpu } }),
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [
          { key: labels.os, operator: 'In', values: ['linux'] },
          { key: labels.arch, operator: 'In', values: ['amd64', 'arm64'] },
          { key: labels.capacityType, operator: 'In', values: capacityTypes.split(',') },
          { key: 'karpenter.kwok.sh/instance-cpu', operator: 'Lt', values: [String(LARGEST_CPU + 1)] },
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '0s',
      budgets: [{ nodes: '10%' }],
    },
  },
})

const nodeClass: KWOKNodeClass = {
  apiVersion: 'karpenter.kwok.sh/v1alpha1',
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
  spec: {},
}

const deployment = ({ name, cpu, memory, spec }: Shape): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    replicas: 0,
    selector: { matchLabels: labelsOf(name) },
    template: {
      metadata: { labels: { ...labelsOf(name), [MEASURED]: 'true' } },
      spec: {
        ...spec,
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'app', image: 'app', resources: { requests: { cpu, memory } } }],
      },
    },
  },
})

/** One object to create, with its kind. */
export interface Wanted {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

/** Returns all objects that exist before the first pod. */
export const wantedObjects = (choice: WorkloadChoice): readonly Wanted[] => [
  { kind: kwokNodeClassKind, object: nodeClass },
  { kind: karpenterKinds.NodePool, object: nodePool(choice) },
  ...WORKLOADS[choice.podMix].map((shape) => ({ kind: kinds.Deployment, object: deployment(shape) })),
]

/** A patch of the NodePool that makes every node drift. */
export const DRIFT = { spec: { template: { metadata: { labels: { 'beside.example.com/generation': 'next' } } } } }

/** Returns the replicas of each Deployment for a total number of pods. The first Deployments get the remainder. */
export const replicasFor = (
  podMix: PodMix,
  pods: number,
): readonly { readonly name: string; readonly replicas: number }[] => {
  const shapes = WORKLOADS[podMix]
  const whole = shapes.reduce((sum, { share }) => sum + share, 0)
  const even = shapes.map(({ share }) => Math.floor((pods * share) / whole))
  const odd = pods - even.reduce((sum, count) => sum + count, 0)
  return shapes.map(({ name }, index) => ({ name, replicas: (even[index] ?? 0) + (index < odd ? 1 : 0) }))
}
