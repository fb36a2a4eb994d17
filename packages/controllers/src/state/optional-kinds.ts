import { kinds, type ResourceKind } from '@kerf/apis'

/** Resource kinds that are read if device requests are not ignored. */
export const deviceKinds: readonly ResourceKind[] = [kinds.ResourceSlice, kinds.ResourceClaim, kinds.DeviceClass]

/** The kinds of pod owners that are read if default spread constraints are set. */
export const spreadOwnerKinds: readonly ResourceKind[] = [
  kinds.Service,
  kinds.ReplicaSet,
  kinds.StatefulSet,
  kinds.ReplicationController,
]
