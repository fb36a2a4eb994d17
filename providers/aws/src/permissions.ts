import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-contract'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { PRICE_CONFIG_MAP } from './pricing/price-memory.ts'

/** What the AWS provider asks of the API server. What it asks of AWS is in `policy/`. */
export const awsPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], karpenterKinds.EC2NodeClass, 'what instances are made from'),
  may(['patch'], karpenterKinds.EC2NodeClass, 'the finalizer, and the hash for drift'),
  may(['patch'], karpenterKinds.EC2NodeClass, 'what was found, and conditions', { subresource: 'status' }),
  mirrors(karpenterKinds.NodePool, 'which classes are used, and how'),
  mirrors(karpenterKinds.NodeClaim, 'which instances are wanted'),
  mirrors(karpenterKinds.NodeOverlay, 'prices of instance types that AWS names none of', { when: 'NodeOverlay' }),
  mirrors(kinds.Node, 'what instances became'),
  may(['patch', 'delete'], karpenterKinds.NodeClaim, 'tags, interruptions, reservations that end'),
  may(['patch'], kinds.Node, 'reservations that end'),
  may(['get'], kinds.Service, 'the address of the cluster’s DNS, for kubelets', {
    namespace: 'kube-system',
    names: ['kube-dns'],
  }),
  may(['create'], kinds.ConfigMap, 'prices over restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'prices over restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
]
