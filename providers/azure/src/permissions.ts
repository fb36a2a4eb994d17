import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import { policyKinds } from './discovery/network-policies.ts'
import { aksNodeClassKind } from './node-class/aks-node-class.ts'
import { PRICE_CONFIG_MAP } from './pricing/azure-prices.ts'

const policies = policyKinds.map((kind: ResourceKind<KubeObject>) =>
  may(['list'], kind, 'whether a DNS server on each node would be cut off from pods', {
    unseen: 'only for classes whose LocalDNS is Preferred, from a version of Kubernetes on that is not out',
  }),
)

/** The permissions on the API server that the Azure provider needs. `kerf azure roles` prints the permissions that it needs in Azure. */
export const azurePermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], aksNodeClassKind, 'reading how VMs are launched'),
  may(['patch'], aksNodeClassKind, 'the finalizer, and the hash that shows drift'),
  may(['patch'], aksNodeClassKind, 'the images that were found, the version, and the conditions', {
    subresource: 'status',
  }),
  mirrors(karpenterKinds.NodeClaim, 'which VMs belong to a NodeClaim'),
  may(['get', 'patch', 'delete'], karpenterKinds.NodeClaim, 'tags, and VMs that Azure could not make after all'),
  mirrors(kinds.Node, 'which Nodes the VMs have'),
  may(['get'], kinds.Service, 'the address of the cluster’s DNS, for the kubelets', {
    namespace: 'kube-system',
    names: ['kube-dns'],
  }),
  ...policies,
  may(['get'], kinds.DaemonSet, 'whether nodes have a DNS server already', {
    namespace: 'kube-system',
    names: ['node-local-dns'],
    unseen: 'only for classes whose LocalDNS is Preferred, from a version of Kubernetes on that is not out',
  }),
  may(['create'], kinds.ConfigMap, 'keeping prices over restarts', { namespace: OWN_NAMESPACE }),
  may(['get', 'patch'], kinds.ConfigMap, 'keeping prices over restarts', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
  may(['get'], kinds.ConfigMap, 'when AKS admits that images of nodes are replaced', {
    namespace: OWN_NAMESPACE,
    names: ['upcoming-maintenance-window'],
  }),
]
