import { kinds, labels, type Pod, type PodDisruptionBudget } from '@kerf/apis'
import type { RunningNode } from './running-nodes.ts'
import type { World } from './world.ts'

export const createDeployment = async (
  world: World,
  name: string,
  replicas: number,
  cpu: string,
  spec: Partial<Pod['spec']> = {},
): Promise<void> => {
  await world.admin.create(kinds.Deployment, {
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

/** Changes the replicas of a Deployment. */
export const scaleDeployment = async (world: World, name: string, replicas: number): Promise<void> => {
  await world.patch(kinds.Deployment, name, { spec: { replicas } })
}

/** Creates a DaemonSet with a pod on this node only. */
export const createDaemonSetOn = async (
  world: World,
  name: string,
  { claim }: RunningNode,
  metadata: Partial<Pod['metadata']> = {},
): Promise<void> => {
  await world.admin.create(kinds.DaemonSet, {
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
  await world.pass(2_000)
}

export const createPodDisruptionBudget = async (
  world: World,
  name: string,
  spec: PodDisruptionBudget['spec'],
): Promise<PodDisruptionBudget> =>
  await world.admin.create(kinds.PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec,
  })
