import { kinds, type ResourceKind } from '@kerf/apis'

/** What is read where pods claim devices. */
export const deviceKinds: readonly ResourceKind[] = [kinds.ResourceSlice, kinds.ResourceClaim, kinds.DeviceClass]

/** What is read where pods without a spread of their own are spread: whose pods they are. */
export const spreadOwnerKinds: readonly ResourceKind[] = [
  kinds.Service,
  kinds.ReplicaSet,
  kinds.StatefulSet,
  kinds.ReplicationController,
]
