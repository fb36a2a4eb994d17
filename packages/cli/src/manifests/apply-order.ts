import type { KubeObject } from '@kerf/apis'

/** Resource kinds whose objects are applied first. Other objects refer to them, or admission reads them when a pod is created. */
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

/**
 * Resource kinds whose objects are applied last. They create pods, or they make the API server call a server in one of these pods. Until
 * that server responds, the API server refuses writes.
 */
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

/**
 * Compares objects by the order in which a new cluster needs them, similar to Helm's `InstallOrder`. Returns 0 for objects that keep their
 * order in the files.
 */
export const compareApplyOrder = (a: KubeObject, b: KubeObject): number => rank(a) - rank(b)
