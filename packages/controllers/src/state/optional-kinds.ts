import { kinds, type ResourceKind } from '@kerf/apis'

/** Resource kinds that Kerf reads unless device requests are ignored. */
export const deviceKinds: readonly ResourceKind[] = [kinds.ResourceSlice, kinds.ResourceClaim, kinds.DeviceClass]

/** The pod owner kinds that Kerf reads if default spread constraints are set. */
export const spreadOwnerKinds: readonly ResourceKind[] = [
  kinds.Service,
  kinds.ReplicaSet,
  kinds.StatefulSet,
  kinds.ReplicationController,
]
