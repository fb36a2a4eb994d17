import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '../snapshot.ts'

/** The lists of a snapshot, by the kind of what is in them. */
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
} as const satisfies Readonly<Record<Exclude<keyof ClusterSnapshot, 'plannedFor'>, string>>

export type SnapshotList = keyof typeof listKinds

/** An object that a decision was made without, because something threw while it was read. */
export interface SetAside {
  readonly kind: 'Pod' | (typeof listKinds)[SnapshotList]
  /** What the snapshot or the batch holds: a pod, a NodeState, a PoolOption, or the object itself. */
  readonly object: object
  readonly error: unknown
  /** Whether the object throws by itself; if not, it was set aside with others before all had been looked at. */
  readonly isSure: boolean
}

/** What a decision came to without the objects that it could not read. */
export interface DecidedApart<Result> {
  readonly result: Result
  readonly setAside: readonly SetAside[]
  /** The snapshot and pods that the result is about. Nodes that were set aside are in it, and take no pods. */
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
  /** Pods that keep the node that was set aside after they were planned for it: it is not bought again. */
  readonly kept: ReadonlyMap<Pod, string>
}
