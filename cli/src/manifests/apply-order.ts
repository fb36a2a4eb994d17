import type { KubeObject } from '@kerf/apis'

/** Kinds that others refer to, and kinds that admission reads when a pod is created. */
const FIRST = [
  'CustomResourceDefinition',
  'PriorityClass',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
  'RuntimeClass',
  'StorageClass',
  'ServiceAccount',
  'ConfigMap',
  'Secret',
  'PersistentVolume',
  'PersistentVolumeClaim',
]

/** Kinds that make pods, and kinds whose server may be one of those pods: as long as it does not answer, it refuses every write. */
const LAST = [
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]

const rank = ({ kind }: KubeObject): number => {
  const first = FIRST.indexOf(kind)
  return first === -1 ? FIRST.length + 1 + LAST.indexOf(kind) : first
}

/** Orders objects for a new cluster, as Helm's `InstallOrder` does; 0 if the order of the files decides. */
export const compareApplyOrder = (a: KubeObject, b: KubeObject): number => rank(a) - rank(b)
