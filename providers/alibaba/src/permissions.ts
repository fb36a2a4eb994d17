import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { PRICE_CONFIG_MAP } from './names.ts'
import { ecsNodeClassKind } from './node-class/ecs-node-class.ts'

/** The permissions on the API server that the provider needs. */
export const alibabaPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], ecsNodeClassKind, 'reading how instances are launched'),
  may(['patch'], ecsNodeClassKind, 'the finalizer, and the hash that shows drift'),
  may(['patch'], ecsNodeClassKind, 'the vSwitches, groups and images that were found, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodeClaim, 'which instances belong to a NodeClaim'),
  may(['get', 'patch', 'delete'], karpenterKinds.NodeClaim, 'tags, and spot instances that ECS takes back'),
  mirrors(kinds.Node, 'which Nodes the instances have, and which spot instances ECS takes back'),
  may(['create'], kinds.ConfigMap, 'keeping prices over restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'keeping prices over restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
  may(['patch'], kinds.Node, 'the taint that ACK’s script may put back after the registration'),
]
