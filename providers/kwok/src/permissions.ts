import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-contract'
import { may, mirrors, type Permission } from '@kerf/runtime'

const kubelet = { when: 'SimulatedKubelet' } as const

/** What the simulated cloud and the simulated kubelets ask of the API server. */
export const kwokPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], karpenterKinds.KWOKNodeClass, 'how long a node takes to appear'),
  mirrors(karpenterKinds.NodeClaim, 'which instances are wanted'),
  mirrors(kinds.Node, 'what instances became'),
  mirrors(kinds.Pod, 'what runs on a node', kubelet),
  may(['get', 'list'], karpenterKinds.NodeClaim, 'which instances there are: the cluster is the cloud'),
  may(['get', 'list', 'create', 'patch', 'delete'], kinds.Node, 'instances come and go as Nodes'),
  may(['create'], kinds.ResourceSlice, 'devices of nodes, where instance types promise any', { when: 'Devices' }),
  may(['patch'], kinds.Node, 'nodes become Ready', { ...kubelet, subresource: 'status' }),
  may(['patch'], kinds.Pod, 'pods run', { ...kubelet, subresource: 'status' }),
  may(['delete'], kinds.Pod, 'pods that were told to end are gone', kubelet),
  may(['create', 'patch'], kinds.Lease, 'heartbeats of nodes', { ...kubelet, namespace: 'kube-node-lease' }),
]
