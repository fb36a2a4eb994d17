import { type KubeObject, ownValue } from '@kerf/apis'
import { karpenterResources } from './karpenter-kinds.ts'

/**
 * The kinds that affect a plan, by API group: nodes, pods and their controllers, volumes, devices, and classes that admission
 * reads.
 */
const PLANNED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'ReplicationController',
    'Service',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'node.k8s.io': ['RuntimeClass'],
  policy: ['PodDisruptionBudget'],
  'resource.k8s.io': ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSINode', 'StorageClass'],
}

const karpenterGroups = new Set(karpenterResources.map(({ kind }) => kind.group))

/** Returns whether objects of this kind, in any version, can affect a plan. */
export const isPlannedKind = (apiVersion: string, kind: string): boolean => {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return karpenterGroups.has(group) || ownValue(PLANNED, group)?.includes(kind) === true
}

/** Returns whether the object can affect a plan. */
export const isPlanned = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  isPlannedKind(apiVersion, kind)
