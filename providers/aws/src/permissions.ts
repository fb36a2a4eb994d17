import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { ec2NodeClassKind } from './node-class/ec2-node-class.ts'
import { PRICE_CONFIG_MAP } from './pricing/price-memory.ts'

/** The permissions on the API server that the AWS provider needs. The permissions on AWS are in `policy/`. */
export const awsPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], ec2NodeClassKind, 'reading the launch configuration of instances'),
  may(['patch'], ec2NodeClassKind, 'the finalizer and the hash used to detect drift'),
  may(['patch'], ec2NodeClassKind, 'the resolved subnets, security groups and images, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodePool, 'finding EC2NodeClasses in use'),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  mirrors(karpenterKinds.NodeOverlay, 'prices of instance types without a published price', { when: 'NodeOverlay' }),
  mirrors(kinds.Node, 'finding the Nodes of instances'),
  may(['patch', 'delete'], karpenterKinds.NodeClaim, 'tags, interruptions, and capacity reservations that end'),
  may(['patch'], kinds.Node, 'capacity reservations that end'),
  may(['get'], kinds.Service, 'the address of the cluster’s DNS, for the kubelets', {
    namespace: 'kube-system',
    names: ['kube-dns'],
  }),
  may(['create'], kinds.ConfigMap, 'storing prices across restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'storing prices across restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
]
