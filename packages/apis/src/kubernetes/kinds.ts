import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './dynamic-resources.ts'
import type { Node } from './node.ts'
import type { KubeObject } from './object.ts'
import type { Pod } from './pod.ts'
import type { CSINode, PersistentVolume, PersistentVolumeClaim, StorageClass, VolumeAttachment } from './storage.ts'
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Event,
  Job,
  Lease,
  Namespace,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  RuntimeClass,
  Service,
  ServiceAccount,
  StatefulSet,
} from './workload.ts'

/**
 * A resource kind of the API, with the group, version and plural that its request paths contain. `T` is the type of its objects. It exists
 * only at compile time. `group` is `''` for the core group.
 */
export interface ResourceKind<T extends KubeObject = KubeObject> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly __type?: T
}

/** Returns `apps/v1`, or `v1` for the core group. */
export const groupVersion = (kind: ResourceKind): string =>
  kind.group === '' ? kind.version : `${kind.group}/${kind.version}`

const define = <T extends KubeObject>(
  group: string,
  version: string,
  kind: string,
  plural: string,
  namespaced: boolean,
): ResourceKind<T> => ({ group, version, kind, plural, namespaced })

/** The built-in resource kinds that Kerf reads or writes. Custom resources are defined with their schemas. */
export const kinds = {
  Pod: define<Pod>('', 'v1', 'Pod', 'pods', true),
  Node: define<Node>('', 'v1', 'Node', 'nodes', false),
  Namespace: define<Namespace>('', 'v1', 'Namespace', 'namespaces', false),
  ServiceAccount: define<ServiceAccount>('', 'v1', 'ServiceAccount', 'serviceaccounts', true),
  Service: define<Service>('', 'v1', 'Service', 'services', true),
  ConfigMap: define<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(
    '',
    'v1',
    'ConfigMap',
    'configmaps',
    true,
  ),
  Event: define<Event>('', 'v1', 'Event', 'events', true),
  PersistentVolumeClaim: define<PersistentVolumeClaim>(
    '',
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    true,
  ),
  PersistentVolume: define<PersistentVolume>('', 'v1', 'PersistentVolume', 'persistentvolumes', false),
  ReplicationController: define<ReplicationController>(
    '',
    'v1',
    'ReplicationController',
    'replicationcontrollers',
    true,
  ),
  Deployment: define<Deployment>('apps', 'v1', 'Deployment', 'deployments', true),
  ReplicaSet: define<ReplicaSet>('apps', 'v1', 'ReplicaSet', 'replicasets', true),
  StatefulSet: define<StatefulSet>('apps', 'v1', 'StatefulSet', 'statefulsets', true),
  DaemonSet: define<DaemonSet>('apps', 'v1', 'DaemonSet', 'daemonsets', true),
  Job: define<Job>('batch', 'v1', 'Job', 'jobs', true),
  CronJob: define<CronJob>('batch', 'v1', 'CronJob', 'cronjobs', true),
  ResourceQuota: define<ResourceQuota>('', 'v1', 'ResourceQuota', 'resourcequotas', true),
  PodDisruptionBudget: define<PodDisruptionBudget>('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets', true),
  Lease: define<Lease>('coordination.k8s.io', 'v1', 'Lease', 'leases', true),
  StorageClass: define<StorageClass>('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', false),
  CSINode: define<CSINode>('storage.k8s.io', 'v1', 'CSINode', 'csinodes', false),
  VolumeAttachment: define<VolumeAttachment>('storage.k8s.io', 'v1', 'VolumeAttachment', 'volumeattachments', false),
  PriorityClass: define<PriorityClass>('scheduling.k8s.io', 'v1', 'PriorityClass', 'priorityclasses', false),
  RuntimeClass: define<RuntimeClass>('node.k8s.io', 'v1', 'RuntimeClass', 'runtimeclasses', false),
  CustomResourceDefinition: define<KubeObject & { readonly spec: Readonly<Record<string, unknown>> }>(
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
  ),
  ResourceSlice: define<ResourceSlice>('resource.k8s.io', 'v1', 'ResourceSlice', 'resourceslices', false),
  ResourceClaim: define<ResourceClaim>('resource.k8s.io', 'v1', 'ResourceClaim', 'resourceclaims', true),
  ResourceClaimTemplate: define<ResourceClaimTemplate>(
    'resource.k8s.io',
    'v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    true,
  ),
  DeviceClass: define<DeviceClass>('resource.k8s.io', 'v1', 'DeviceClass', 'deviceclasses', false),
} as const
