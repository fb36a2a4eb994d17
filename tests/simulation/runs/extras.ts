import { annotations, type KubeObject, labels } from '@kerf/apis'
import type { CloudNames } from './cloud-draws.ts'
import { TEAM_LABEL } from './pools.ts'
import type { Randomness } from './randomness.ts'

export const STORAGE_CLASS = 'disks'

/** The StorageClass of disks. A disk belongs to the zone of its first pod. */
export const storageClass: KubeObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: STORAGE_CLASS },
  ...{ provisioner: 'disks.csi.example', volumeBindingMode: 'WaitForFirstConsumer' },
}

/** Draws a DaemonSet, or none. Kerf drains its pods like other pods, unless they tolerate every taint. */
export const drawDaemonSets = (randomness: Randomness): readonly KubeObject[] => {
  if (!randomness.happens(0.4)) return []
  const tolerations = randomness.happens(0.5) ? [{ operator: 'Exists' }] : [{ key: TEAM_LABEL, operator: 'Exists' }]
  const selector = { matchLabels: { app: 'agent' } }
  const resources = { requests: { cpu: '50m', memory: '64Mi' } }
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'default' },
      ...{
        spec: {
          selector,
          template: {
            metadata: { labels: selector.matchLabels },
            spec: { tolerations, containers: [{ name: 'main', image: 'agent', resources }] },
          },
        },
      },
    },
  ]
}

/** Draws pods that fit any NodePool but belong to another autoscaler. That autoscaler does not exist in the run. */
export const drawOthersPods = (randomness: Randomness): readonly KubeObject[] => {
  if (!randomness.happens(0.1)) return []
  const selector = { matchLabels: { app: 'theirs' } }
  const metadata = { labels: selector.matchLabels, annotations: { [annotations.servedBy]: 'cluster-autoscaler' } }
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '900m', memory: '1Gi' } } }]
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'theirs', namespace: 'default' },
      ...{ spec: { replicas: randomness.between(1, 4), selector, template: { metadata, spec: { containers } } } },
    },
  ]
}

/** Draws a CapacityBuffer, which keeps capacity free for future pods. */
export const drawBuffer = (randomness: Randomness): readonly KubeObject[] => {
  if (!randomness.happens(0.5)) return []
  const metadata = { name: 'spare', namespace: 'default' }
  const resources = { requests: { cpu: '1', memory: '1Gi' } }
  return [
    {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata,
      ...{
        template: {
          metadata: { labels: { app: 'spare' } },
          spec: { containers: [{ name: 'main', image: 'app', resources }] },
        },
      },
    },
    {
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata,
      ...{ spec: { podTemplateRef: { name: metadata.name }, replicas: randomness.between(1, 4) } },
    },
  ]
}

/** Draws a NodeOverlay that changes prices, so that a different offering may become the cheapest. */
export const drawOverlay = (randomness: Randomness, { types, zones }: CloudNames): KubeObject => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name: `prices-${randomness.between(1, 3)}` },
  ...{
    spec: {
      weight: randomness.between(1, 100),
      requirements: [
        randomness.of([
          { key: labels.capacityType, operator: 'In', values: ['spot'] },
          { key: labels.instanceType, operator: 'In', values: [...types] },
          { key: labels.zone, operator: 'In', values: [zones[1]] },
        ]),
      ],
      priceAdjustment: randomness.of(['-30%', '+25%', '+0.05']),
    },
  },
})
