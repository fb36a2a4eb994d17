import type { KubeObject } from '@kerf/apis'
import type { Trace } from '@kerf/cli'

/** For each workload, the requests of one pod. */
const SIZES = [
  { cpu: '500m', memory: '1Gi' },
  { cpu: '1', memory: '2Gi' },
  { cpu: '250m', memory: '1Gi' },
  { cpu: '2', memory: '8Gi' },
  { cpu: '1500m', memory: '4Gi' },
  { cpu: '1', memory: '8Gi' },
  { cpu: '750m', memory: '1Gi' },
  { cpu: '500m', memory: '4Gi' },
  { cpu: '1', memory: '1Gi' },
  { cpu: '2', memory: '4Gi' },
] as const

const WORKLOADS = 20
/** The run uses only smaller instance types, so that the load needs hundreds of nodes. */
const TYPES = ['c', 'm', 's'].flatMap((family) => ['2x', '4x', '8x'].map((size) => `${family}-${size}-amd64-linux`))

const nodePool: KubeObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  ...{
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: TYPES },
          ],
          expireAfter: 'Never',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '1m' },
    },
  },
}

const nodeClass: KubeObject = {
  apiVersion: 'karpenter.kwok.sh/v1alpha1',
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
  ...{ spec: {} },
}

const deployment = (index: number, replicas: number): KubeObject => {
  const name = `app-${index}`
  const container = { name: 'main', image: 'app', resources: { requests: SIZES[index % SIZES.length] } }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    ...{
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
      },
    },
  }
}

/** The replicas of each workload: the minimum is at night, and the maximum in the afternoon. */
export interface Tide {
  readonly low: number
  readonly high: number
}

/** Returns twenty workloads that follow the time of day, with peaks between noon and four in the afternoon. */
export const makeDay = ({ low, high }: Tide): { readonly objects: readonly KubeObject[]; readonly trace: Trace } => {
  const indices = Array.from({ length: WORKLOADS }, (_, index) => index)
  return {
    objects: [nodeClass, nodePool, ...indices.map((index) => deployment(index, low))],
    trace: {
      diurnal: indices.map((index) => ({
        name: `app-${index}`,
        low,
        high,
        every: '30m',
        noise: 0,
        peak: `${12 + (index % 5)}h`,
      })),
    },
  }
}
