import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { ec2NodeClassKind } from './node-class/ec2-node-class.ts'
import { PRICE_CONFIG_MAP } from './pricing/price-memory.ts'

/** The permissions on the API server that the AWS provider needs. Those on AWS are in `policy/`. */
export const awsPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], ec2NodeClassKind, 'reading how instances are launched'),
  may(['patch'], ec2NodeClassKind, 'the finalizer, and the hash that shows drift'),
  may(['patch'], ec2NodeClassKind, 'the subnets, security groups and images that were found, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodePool, 'which EC2NodeClasses are in use, and how'),
  mirrors(karpenterKinds.NodeClaim, 'which instances belong to a NodeClaim'),
  mirrors(karpenterKinds.NodeOverlay, 'prices of instance types for which AWS publishes none', { when: 'NodeOverlay' }),
  mirrors(kinds.Node, 'which Nodes the instances have'),
  may(['patch', 'delete'], karpenterKinds.NodeClaim, 'tags, interruptions, and capacity reservations that end'),
  may(['patch'], kinds.Node, 'capacity reservations that end'),
  may(['get'], kinds.Service, 'the address of the cluster’s DNS, for the kubelets', {
    namespace: 'kube-system',
    names: ['kube-dns'],
  }),
  may(['create'], kinds.ConfigMap, 'keeping prices over restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'keeping prices over restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
]
