import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '../snapshot.ts'

/** The lists of a snapshot, with the kind of their objects. */
export const listKinds = {
  pools: 'NodePool',
  nodes: 'Node',
  daemonPods: 'DaemonSet',
  persistentVolumeClaims: 'PersistentVolumeClaim',
  persistentVolumes: 'PersistentVolume',
  storageClasses: 'StorageClass',
  csiNodes: 'CSINode',
  resourceSlices: 'ResourceSlice',
  resourceClaims: 'ResourceClaim',
  resourceClaimTemplates: 'ResourceClaimTemplate',
  deviceClasses: 'DeviceClass',
  services: 'Service',
  podOwners: 'pod owner',
  daemonSets: 'DaemonSet',
  namespaces: 'Namespace',
} as const satisfies Readonly<
  Record<Exclude<keyof ClusterSnapshot, 'plannedFor' | 'ceilings' | 'commitments' | 'access'>, string>
>

export type SnapshotList = keyof typeof listKinds

/** An object that the decision ignores, because reading it threw an error. */
export interface SetAside {
  readonly kind: 'Pod' | (typeof listKinds)[SnapshotList]
  /** The entry of the snapshot or the batch: a pod, a NodeState, a PoolOption, or the API object. */
  readonly object: object
  readonly error: unknown
  /**
   * Whether this object alone is known to cause the error. If false, it was set aside together with others because no attempts were left.
   */
  readonly isSure: boolean
}

/** The result of a decision without the objects that could not be read. */
export interface DecidedApart<Result> {
  readonly result: Result
  readonly setAside: readonly SetAside[]
  /** The snapshot and the pods that the result is based on. Nodes that were set aside are included, but no pods are placed on them. */
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
  /**
   * Pods that stay on a node that was set aside, because they are planned for it. This prevents a second node from being launched for them.
   */
  readonly kept: ReadonlyMap<Pod, string>
}
