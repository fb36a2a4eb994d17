import type { KubeObject } from '@kerf/apis'
import type { FoundDocument } from '../../../../packages/cli/src/manifests/read-documents.ts'

export type Loose = Readonly<Record<string, unknown>>

export interface ExampleCluster {
  readonly name: string
  readonly documents: readonly FoundDocument[]
  /** The initial number of nodes in all groups. */
  readonly nodes: number
}

export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c']

export interface WorkloadShape {
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  readonly cpu: string
  readonly memory: string
  readonly kind?: 'Deployment' | 'StatefulSet'
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Loose[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly extended?: Readonly<Record<string, string>>
  readonly image?: string
  readonly priorityClassName?: string
}

export const workload = ({ kind = 'Deployment', namespace, name, replicas, ...shape }: WorkloadShape): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace },
  ...{
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      template: {
        metadata: {
          labels: { app: name },
          ...(shape.annotations === undefined ? {} : { annotations: shape.annotations }),
        },
        spec: {
          ...(shape.nodeSelector === undefined ? {} : { nodeSelector: shape.nodeSelector }),
          ...(shape.tolerations === undefined ? {} : { tolerations: shape.tolerations }),
          containers: [
            {
              name: 'app',
              image: shape.image ?? `registry.example.com/${name}:1.0`,
              resources: {
                requests: { cpu: shape.cpu, memory: shape.memory, ...shape.extended },
                ...(shape.extended === undefined ? {} : { limits: shape.extended }),
              },
            },
          ],
        },
      },
    },
  },
})

/** Returns a PodDisruptionBudget for the pods of this app. */
export const budget = (namespace: string, name: string, maxUnavailable: number | string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  ...{ spec: { maxUnavailable, selector: { matchLabels: { app: name } } } },
})

export const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

/** Returns the Deployment of Cluster Autoscaler with these flags. */
export const autoscalerDeployment = (...flags: readonly string[]): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cluster-autoscaler', namespace: 'kube-system' },
  ...{
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'cluster-autoscaler' } },
      template: {
        metadata: { labels: { app: 'cluster-autoscaler' } },
        spec: {
          containers: [
            {
              name: 'cluster-autoscaler',
              image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1',
              command: ['./cluster-autoscaler', ...flags],
              resources: { requests: { cpu: '100m', memory: '300Mi' } },
            },
          ],
        },
      },
    },
  },
})

export const documents = (file: string, ...values: readonly unknown[]): readonly FoundDocument[] =>
  values.map((value) => ({ value, file }))

/** Returns a managed node group in the format of `aws eks describe-nodegroup`. */
export const managedGroup = (
  name: string,
  types: readonly string[],
  min: number,
  max: number,
  desired: number,
  more: Loose = {},
): Loose => ({
  nodegroup: {
    nodegroupName: name,
    nodegroupArn: `arn:aws:eks:us-east-1:111122223333:nodegroup/shop/${name}/1`,
    clusterName: 'shop',
    version: '1.33',
    releaseVersion: '1.33.0-20250715',
    status: 'ACTIVE',
    capacityType: 'ON_DEMAND',
    scalingConfig: { minSize: min, maxSize: max, desiredSize: desired },
    instanceTypes: types,
    subnets: ['subnet-0a1', 'subnet-0b2', 'subnet-0c3'],
    amiType: 'AL2023_x86_64_STANDARD',
    nodeRole: 'arn:aws:iam::111122223333:role/shop-nodes',
    labels: { tier: name },
    diskSize: 50,
    health: { issues: [] },
    updateConfig: { maxUnavailable: 1 },
    tags: { team: 'shop' },
    resources: { autoScalingGroups: [{ name: `eks-${name}-12345678-1234-1234-1234-123456789abc` }] },
    ...more,
  },
})
