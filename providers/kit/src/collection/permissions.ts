import { karpenterKinds, kinds } from '@kerf/apis'
import { may, mirrors, type Permission } from '@kerf/runtime'

/** The permissions on the API server that `instanceGarbageCollection` needs. */
export const garbageCollectionPermissions: readonly Permission[] = [
  mirrors(karpenterKinds.NodeClaim, 'which instances have a NodeClaim'),
  may(['list', 'delete'], kinds.Node, 'deleting the Node of an instance without a NodeClaim'),
]
