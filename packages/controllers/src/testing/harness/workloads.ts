import { kinds, labels, type Pod, type PodDisruptionBudget } from '@kerf/apis'
import type { Harness } from './harness.ts'
import type { RunningNode } from './running-nodes.ts'

export const createDeployment = async (
  harness: Harness,
  name: string,
  replicas: number,
  cpu: string,
  spec: Partial<Pod['spec']> = {},
): Promise<void> => {
  await harness.admin.create(kinds.Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'main', image: 'main', resources: { requests: { cpu } } }],
          ...spec,
        },
      },
    },
  })
}

/** Sets the replicas of a Deployment. */
export const scaleDeployment = async (harness: Harness, name: string, replicas: number): Promise<void> => {
  await harness.patch(kinds.Deployment, name, { spec: { replicas } })
}

/** Creates a DaemonSet that runs a pod only on this node. */
export const createDaemonSetOn = async (
  harness: Harness,
  name: string,
  { claim }: RunningNode,
  metadata: Partial<Pod['metadata']> = {},
): Promise<void> => {
  await harness.admin.create(kinds.DaemonSet, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: { daemon: name } },
      template: {
        metadata: { ...metadata, labels: { daemon: name, ...metadata.labels } },
        spec: {
          nodeSelector: { [labels.hostname]: claim },
          containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '100m' } } }],
        },
      },
    },
  })
  await harness.pass(2_000)
}

export const createPodDisruptionBudget = async (
  harness: Harness,
  name: string,
  spec: PodDisruptionBudget['spec'],
): Promise<PodDisruptionBudget> =>
  await harness.admin.create(kinds.PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec,
  })
