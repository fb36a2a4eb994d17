import {
  type Deployment,
  type KubeObject,
  type KWOKNodeClass,
  karpenterKinds,
  kinds,
  labels,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'

/** What one pod of each Deployment asks for. Pods that want CPU, memory or neither much, as in most clusters. */
const SHAPES = [
  { name: 'tiny', cpu: '250m', memory: '512Mi' },
  { name: 'web', cpu: '500m', memory: '1Gi' },
  { name: 'cache', cpu: '500m', memory: '4Gi' },
  { name: 'worker', cpu: '1', memory: '1Gi' },
  { name: 'api', cpu: '1', memory: '2Gi' },
] as const

export const NAMESPACE = 'default'
/** The label that every measured pod carries. */
export const MEASURED = 'beside.example.com/measured'

export type CapacityTypes = 'on-demand' | 'spot,on-demand'

/** The largest instance that may be launched. With it a thousand pods run on some fifty nodes, as in most clusters. */
const LARGEST_CPU = 16

const nodePool = (capacityTypes: CapacityTypes): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
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

const deployment = ({ name, cpu, memory }: (typeof SHAPES)[number]): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name, [MEASURED]: 'true' } },
      spec: {
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
export const wantedObjects = (capacityTypes: CapacityTypes): readonly Wanted[] => [
  { kind: karpenterKinds.KWOKNodeClass, object: nodeClass },
  { kind: karpenterKinds.NodePool, object: nodePool(capacityTypes) },
  ...SHAPES.map((shape) => ({ kind: kinds.Deployment, object: deployment(shape) })),
]

/** The replicas of each Deployment for so many pods in all. */
export const replicasFor = (pods: number): readonly { readonly name: string; readonly replicas: number }[] =>
  SHAPES.map(({ name }, index) => ({
    name,
    replicas: Math.floor(pods / SHAPES.length) + (index < pods % SHAPES.length ? 1 : 0),
  }))
