import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, type Permission, type SettingSwitch } from '@kerf/runtime'
import { kwokNodeClassKind } from './node-class/kwok-node-class.ts'

/** The setting that enables simulated kubelets. */
export const simulatedKubeletSwitch: SettingSwitch = { env: 'KWOK_SIMULATE_KUBELET', default: true }

const kubelet = { when: simulatedKubeletSwitch }

/** The permissions on the API server that the simulated cloud and its simulated kubelets need. */
export const kwokPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], kwokNodeClassKind, 'reading the registration delay of nodes'),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  mirrors(kinds.Node, 'finding the Nodes of instances'),
  mirrors(kinds.Pod, 'reading the pods of a node', kubelet),
  may(['get', 'list'], karpenterKinds.NodeClaim, 'listing instances, which exist only in the cluster'),
  may(['get', 'list', 'create', 'patch', 'delete'], kinds.Node, 'creating and deleting Nodes as instances'),
  may(['create'], kinds.ResourceSlice, 'publishing the devices of nodes whose instance type has devices', {
    when: 'Devices',
  }),
  may(['patch'], kinds.Node, 'reporting nodes as Ready', { ...kubelet, subresource: 'status' }),
  may(['patch'], kinds.Pod, 'reporting pods as Running', { ...kubelet, subresource: 'status' }),
  may(['delete'], kinds.Pod, 'removing terminated pods', kubelet),
  may(['create', 'patch'], kinds.Lease, 'heartbeats of nodes', { ...kubelet, namespace: 'kube-node-lease' }),
]
