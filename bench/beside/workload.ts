import {
  type Deployment,
  type KubeObject,
  type KWOKNodeClass,
  karpenterKinds,
  kinds,
  labels,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'

/** One Deployment of the workload. */
interface Shape {
  readonly name: string
  readonly cpu: string
  readonly memory: string
  /** Its part of all pods; the parts of a workload need not add up to anything. */
  readonly share: number
  readonly spec?: Partial<Pod['spec']>
}

const labelsOf = (name: string) => ({ app: name })

/** Pods that want CPU, memory or neither much, as in most clusters. */
const PLAIN: readonly Shape[] = [
  { name: 'tiny', cpu: '250m', memory: '512Mi', share: 1 },
  { name: 'web', cpu: '500m', memory: '1Gi', share: 1 },
  { name: 'cache', cpu: '500m', memory: '4Gi', share: 1 },
  { name: 'worker', cpu: '1', memory: '1Gi', share: 1 },
  { name: 'api', cpu: '1', memory: '2Gi', share: 1 },
]

/** The same, and pods that spread over zones, keep apart from one another, run on ARM or want much memory. */
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

/** Which pods are measured. */
export type PodMix = keyof typeof WORKLOADS

export const NAMESPACE = 'default'
/** The label that every measured pod carries. */
export const MEASURED = 'beside.example.com/measured'

export type CapacityTypes = 'on-demand' | 'spot,on-demand'

export interface WorkloadChoice {
  readonly capacityTypes: CapacityTypes
  readonly podMix: PodMix
  /** The limit of the NodePool in CPUs; none without it. */
  readonly limitCpu?: string
}

/** The largest instance that may be launched. With it a thousand pods run on some fifty nodes, as in most clusters. */
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

/** Everything that is there before the first pod. */
export const wantedObjects = (choice: WorkloadChoice): readonly Wanted[] => [
  { kind: karpenterKinds.KWOKNodeClass, object: nodeClass },
  { kind: karpenterKinds.NodePool, object: nodePool(choice) },
  ...WORKLOADS[choice.podMix].map((shape) => ({ kind: kinds.Deployment, object: deployment(shape) })),
]

/** A change of the NodePool that makes every node drift. */
export const DRIFT = { spec: { template: { metadata: { labels: { 'beside.example.com/generation': 'next' } } } } }

/** The replicas of each Deployment for so many pods in all. What does not come out even goes to the first ones. */
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
