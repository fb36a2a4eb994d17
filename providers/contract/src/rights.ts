import { karpenterKinds, kinds } from '@kerf/apis'
import { may, type Right } from '@kerf/runtime'

/** What `instanceGarbageCollection` asks of the API server. */
export const garbageCollectionRights: readonly Right[] = [
  may(['list'], karpenterKinds.NodeClaim, 'whether an instance still has a claim'),
  may(['list', 'delete'], kinds.Node, 'the Node of an instance that nobody wants'),
]
