import type { KubeObject } from '@kerf/apis'

/** A Deployment whose replicas follow the time of day. */
export interface Workload {
  readonly namespace: string
  readonly name: string
  readonly cpu: string
  readonly memory: string
  /** The replicas at the quietest and at the busiest hour. */
  readonly low: number
  readonly high: number
  /** The busiest hour of the day in UTC. */
  readonly peak: number
  /** The taint of the NodePool for its pods, as `key=value`. The value is the name of the NodePool. */
  readonly tolerates?: string
  readonly nodePool?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly spreadsOverZones?: boolean
}

const DO_NOT_DISRUPT = { 'karpenter.sh/do-not-disrupt': 'true' }

export const workloads: readonly Workload[] = [
  { namespace: 'shop', name: 'web', cpu: '500m', memory: '1Gi', low: 20, high: 74, peak: 15, spreadsOverZones: true },
  { namespace: 'shop', name: 'cart', cpu: '750m', memory: '2Gi', low: 8, high: 36, peak: 16 },
  { namespace: 'shop', name: 'catalog', cpu: '1', memory: '4Gi', low: 8, high: 24, peak: 14 },
  { namespace: 'shop', name: 'search', cpu: '2', memory: '14Gi', low: 6, high: 15, peak: 15 },
  { namespace: 'shop', name: 'recommendations', cpu: '1500m', memory: '3Gi', low: 4, high: 22, peak: 17 },
  { namespace: 'shop', name: 'images', cpu: '1', memory: '1Gi', low: 4, high: 16, peak: 13 },
  {
    namespace: 'payments',
    name: 'checkout',
    cpu: '1',
    memory: '2Gi',
    low: 6,
    high: 24,
    peak: 16,
    tolerates: 'team=payments',
    nodePool: 'payments',
  },
  {
    ...{ namespace: 'payments', name: 'ledger', cpu: '1500m', memory: '6Gi', low: 6, high: 6, peak: 16 },
    ...{ tolerates: 'team=payments', nodePool: 'payments', annotations: DO_NOT_DISRUPT },
  },
  {
    namespace: 'data',
    name: 'reports',
    cpu: '3',
    memory: '10Gi',
    low: 0,
    high: 20,
    peak: 3,
    tolerates: 'batch',
    nodePool: 'reports',
  },
  { namespace: 'data', name: 'ingest', cpu: '2', memory: '4Gi', low: 8, high: 16, peak: 12 },
]

/** Returns the replicas at an hour of the day, which may have a fraction. */
export const replicasAt = ({ low, high, peak }: Workload, hour: number): number => {
  const height = (1 + Math.cos(((hour - peak) / 24) * 2 * Math.PI)) / 2
  return Math.round(low + (high - low) * height ** 2)
}

const taintToleration = (taint: string): object => {
  const [key, value] = taint.split('=')
  return value === undefined ? { key, operator: 'Exists' } : { key, operator: 'Equal', value }
}

const podSpec = ({ cpu, memory, tolerates, nodePool, spreadsOverZones, name }: Workload): object => ({
  containers: [{ name: 'main', image: `registry.example/${name}:1`, resources: { requests: { cpu, memory } } }],
  ...(nodePool === undefined ? {} : { nodeSelector: { 'karpenter.sh/nodepool': nodePool } }),
  ...(tolerates === undefined ? {} : { tolerations: [taintToleration(tolerates)] }),
  ...(spreadsOverZones === true
    ? {
        topologySpreadConstraints: [
          {
            ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
            labelSelector: { matchLabels: { app: name } },
          },
        ],
      }
    : {}),
})

/** Returns the Deployment with this number of replicas. */
export const makeDeployment = (workload: Workload, replicas: number): KubeObject => {
  const { namespace, name, annotations = {} } = workload
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { app: name } },
    ...{
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name }, annotations }, spec: podSpec(workload) },
      },
    },
  }
}

/** Pods that no NodePool can run, for the pages that show the reasons. */
export const stuckPods: readonly KubeObject[] = [
  {
    ...{
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'index-rebuild', namespace: 'shop', labels: { app: 'index' } },
    },
    ...{
      spec: {
        nodeSelector: { disk: 'nvme' },
        containers: [
          { name: 'main', image: 'registry.example/index:1', resources: { requests: { cpu: '3', memory: '8Gi' } } },
        ],
      },
    },
  },
  {
    ...{
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'train-ranking', namespace: 'data', labels: { app: 'train' } },
    },
    ...{
      spec: {
        containers: [
          { name: 'main', image: 'registry.example/train:1', resources: { requests: { cpu: '20', memory: '96Gi' } } },
        ],
      },
    },
  },
]
