import { karpenterKinds, kinds } from '@kerf/apis'
import { may, mirrors, type Right } from '@kerf/runtime'

/** What `instanceGarbageCollection` asks of the API server. */
export const garbageCollectionRights: readonly Right[] = [
  mirrors(karpenterKinds.NodeClaim, 'which instances have their claim'),
  may(['list', 'delete'], kinds.Node, 'the Node of an instance that nobody wants'),
]
