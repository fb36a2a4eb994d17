import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { policyKinds } from './discovery/network-policies.ts'
import { aksNodeClassKind } from './node-class/aks-node-class.ts'
import { PRICE_CONFIG_MAP } from './pricing/azure-prices.ts'

const policies = policyKinds.map((kind: ResourceKind<KubeObject>) =>
  may(['list'], kind, 'checking whether network policies would block LocalDNS', {
    unseen:
      'only for node classes whose LocalDNS mode is Preferred, from a Kubernetes version that is not released yet',
  }),
)

/** The permissions on the API server that the Azure provider needs. `kerf azure roles` prints the permissions that it needs in Azure. */
export const azurePermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], aksNodeClassKind, 'reading the launch configuration of VMs'),
  may(['patch'], aksNodeClassKind, 'the finalizer and the hash used to detect drift'),
  may(['patch'], aksNodeClassKind, 'the resolved images, the version, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of VMs'),
  may(['get', 'patch', 'delete'], karpenterKinds.NodeClaim, 'tags, and VMs whose creation failed later'),
  mirrors(kinds.Node, 'finding the Nodes of VMs'),
  may(['get'], kinds.Service, 'the address of the cluster’s DNS, for the kubelets', {
    namespace: 'kube-system',
    names: ['kube-dns'],
  }),
  ...policies,
  may(['get'], kinds.DaemonSet, 'checking whether nodes already have a DNS server', {
    namespace: 'kube-system',
    names: ['node-local-dns'],
    unseen:
      'only for node classes whose LocalDNS mode is Preferred, from a Kubernetes version that is not released yet',
  }),
  may(['create'], kinds.ConfigMap, 'storing prices across restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'storing prices across restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
  may(['get'], kinds.ConfigMap, 'reading when AKS allows the replacement of node images', {
    namespace: OWN_NAMESPACE,
    names: ['upcoming-maintenance-window'],
  }),
]
