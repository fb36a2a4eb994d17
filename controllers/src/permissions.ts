import { karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { may, mirrors, type Permission, type PermissionOption } from '@kerf/runtime'
import { podTemplateKind } from './capacity-buffer/resolve.ts'
import { scalableKinds } from './capacity-buffer/scalable-kinds.ts'
import type { ControllerSettings } from './deps.ts'
import { legacyPermissions } from './legacy/permissions.ts'
import { deviceKinds, spreadOwnerKinds } from './state/optional-kinds.ts'

const admission =
  'where OwnerReferencesPermissionEnforcement is on, the API server checks it when an owner is set that blocks deletion'

const pools: readonly Permission[] = [
  mirrors(karpenterKinds.NodePool, 'what may be launched'),
  may(['get'], karpenterKinds.NodePool, 'its conditions as they are stored, where the mirror is behind'),
  may(['patch'], karpenterKinds.NodePool, 'the hash of the template, for drift'),
  may(['patch'], karpenterKinds.NodePool, 'conditions and counted resources', { subresource: 'status' }),
  may(['update'], karpenterKinds.NodePool, 'NodeClaims are owned by their pool', {
    subresource: 'finalizers',
    unseen: admission,
  }),
]

const claims: readonly Permission[] = [
  mirrors(karpenterKinds.NodeClaim, 'the nodes that there are and those on their way'),
  may(['get'], karpenterKinds.NodeClaim, 'before a step that must not rest on an old copy'),
  may(['create', 'delete'], karpenterKinds.NodeClaim, 'launching and disrupting'),
  may(['patch'], karpenterKinds.NodeClaim, 'finalizer, annotations and labels'),
  may(['patch'], karpenterKinds.NodeClaim, 'what was launched, and conditions', { subresource: 'status' }),
  may(['update'], karpenterKinds.NodeClaim, 'Nodes are owned by their claim', {
    subresource: 'finalizers',
    unseen: admission,
  }),
]

const nodes: readonly Permission[] = [
  mirrors(kinds.Node, 'what runs, and what there is room for'),
  may(['get'], kinds.Node, 'before a step that must not rest on an old copy'),
  may(['patch'], kinds.Node, 'labels and taints of the claim, the taint of a node that goes, the finalizer'),
  may(['delete'], kinds.Node, 'a node whose claim goes, so that it is drained'),
]

const pods: readonly Permission[] = [
  mirrors(kinds.Pod, 'who waits, and who runs where'),
  may(['patch'], kinds.Pod, 'the node that a pod was planned for, before it is there', { subresource: 'status' }),
  may(['create'], kinds.Pod, 'draining through PodDisruptionBudgets', { subresource: 'eviction' }),
  may(['delete'], kinds.Pod, 'pods that outlive the grace period of their node'),
]

/** What a pod may ask of a node, and what asks for pods. */
const constraints: readonly Permission[] = [
  mirrors(kinds.Namespace, 'selectors of namespaces in pod affinity'),
  mirrors(kinds.DaemonSet, 'pods that every new node will get'),
  mirrors(kinds.PodDisruptionBudget, 'whether a node can be emptied'),
  mirrors(kinds.PersistentVolumeClaim, 'the zone of a pod’s volumes'),
  mirrors(kinds.PersistentVolume, 'the zone of a pod’s volumes'),
  mirrors(kinds.StorageClass, 'where a volume that is not there yet may come to be'),
  mirrors(kinds.CSINode, 'how many volumes a node takes'),
  mirrors(kinds.VolumeAttachment, 'waiting until the volumes of a node are detached'),
]

const owners: readonly Permission[] = spreadOwnerKinds.map((kind) =>
  mirrors(kind, 'the selector of a default topology spread', { when: 'DefaultSpread' }),
)

const devices: readonly Permission[] = deviceKinds.map((kind) =>
  mirrors(kind, 'devices of nodes, and who asks for them', { when: 'Devices' }),
)

const overlays: readonly Permission[] = [
  mirrors(karpenterKinds.NodeOverlay, 'prices and capacity that are told by hand', { when: 'NodeOverlay' }),
  may(['patch'], karpenterKinds.NodeOverlay, 'conditions', { subresource: 'status', when: 'NodeOverlay' }),
]

const buffers: readonly Permission[] = [
  mirrors(karpenterKinds.CapacityBuffer, 'room that is kept', { when: 'CapacityBuffer' }),
  may(['patch'], karpenterKinds.CapacityBuffer, 'conditions and size', {
    subresource: 'status',
    when: 'CapacityBuffer',
  }),
  may(['get', 'list', 'watch'], podTemplateKind, 'the shape of a buffer’s pods', { when: 'CapacityBuffer' }),
  ...scalableKinds.map((kind) =>
    may(['get', 'list', 'watch'], kind, 'the shape and number of a buffer’s pods', { when: 'CapacityBuffer' }),
  ),
]

/**
 * What the controllers ask of the API server, whichever options are on, with the node classes of the provider. What a
 * provider asks besides is declared by it.
 */
export const controllerPermissions = (nodeClasses: readonly ResourceKind[]): readonly Permission[] => [
  ...pools,
  ...claims,
  ...nodes,
  ...pods,
  ...constraints,
  ...owners,
  ...devices,
  ...overlays,
  ...buffers,
  ...legacyPermissions(nodeClasses),
  ...nodeClasses.map((kind) => mirrors(kind, 'whether a pool’s class is ready')),
]

/** The options of the controllers that are on. */
export const permissionOptions = (
  settings: Pick<ControllerSettings, 'featureGates' | 'ignoreDraRequests' | 'defaultSpreadConstraints' | 'legacyApis'>,
): readonly PermissionOption[] => [
  ...(settings.featureGates.NodeOverlay ? (['NodeOverlay'] as const) : []),
  ...(settings.featureGates.CapacityBuffer ? (['CapacityBuffer'] as const) : []),
  ...(settings.legacyApis ? (['LegacyApis'] as const) : []),
  ...(settings.ignoreDraRequests ? [] : (['Devices'] as const)),
  ...(settings.defaultSpreadConstraints.length > 0 ? (['DefaultSpread'] as const) : []),
]
