import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { PRICE_CONFIG_MAP } from './names.ts'
import { ecsNodeClassKind } from './node-class/ecs-node-class.ts'

/** The permissions on the API server that the provider needs. */
export const alibabaPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], ecsNodeClassKind, 'reading the launch configuration of instances'),
  may(['patch'], ecsNodeClassKind, 'the finalizer and the hash used to detect drift'),
  may(['patch'], ecsNodeClassKind, 'the vSwitches, groups and images that were found, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  may(['get', 'patch', 'delete'], karpenterKinds.NodeClaim, 'tags, and spot instances that ECS takes back'),
  mirrors(kinds.Node, 'which Nodes the instances have, and which spot instances ECS takes back'),
  may(['create'], kinds.ConfigMap, 'storing prices across restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'storing prices across restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
  may(['patch'], kinds.Node, 'the taint that ACK’s script may put back after the registration'),
]
