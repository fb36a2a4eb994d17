import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, type Permission } from '@kerf/runtime'
import { nativePodNetworkKind } from './launch/native-pod-network.ts'
import { communityNodeClassKind } from './node-class/community-node-class.ts'
import { oracleNodeClassKind } from './node-class/oracle-node-class.ts'

/** The permissions on the API server that the provider needs. */
export const ociPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  ...[communityNodeClassKind, oracleNodeClassKind].flatMap((kind) => [
    may(['get', 'list', 'watch'], kind, 'reading the launch configuration of instances'),
    may(['patch'], kind, 'the finalizer and the hash used to detect drift'),
    may(['patch'], kind, 'the images, subnets and groups that were found, and the conditions', {
      subresource: 'status',
    }),
  ]),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  mirrors(kinds.Node, 'finding the Nodes of instances'),
  may(['create'], nativePodNetworkKind, 'the network interfaces for pods of an OCINodeClass'),
]
