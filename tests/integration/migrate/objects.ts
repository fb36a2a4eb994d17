import type { KubeObject } from '@kerf/apis'
import type { FoundDocument } from '../../../packages/cli/src/manifests/read-documents.ts'

export type Loose = Readonly<Record<string, unknown>>

export interface ExampleCluster {
  readonly name: string
  readonly documents: readonly FoundDocument[]
  /** The initial number of nodes in all node groups. */
  readonly nodes: number
}

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

/** Returns a Cluster Autoscaler in the namespace `autoscaling`. If `shell` is true, a shell starts it. */
export const autoscaler = (flags: readonly string[], rest: { readonly shell?: boolean } = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cluster-autoscaler', namespace: 'autoscaling' },
  spec: {
    selector: { matchLabels: { app: 'ca' } },
    template: {
      metadata: { labels: { app: 'ca' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0',
            command:
              rest.shell === true
                ? ['sh', '-c', `./cluster-autoscaler ${flags.join(' ')} 2>&1`]
                : ['./cluster-autoscaler', ...flags],
          },
        ],
      },
    },
  },
})
