import {
  COMMITMENT_CONFIG_MAP,
  karpenterKinds,
  kinds,
  PRICE_CONFIG_MAP,
  policyKinds,
  type ResourceKind,
} from '@kerf/apis'
import type { LegacyTemplates } from '@kerf/apis/legacy'
import { may, mirrors, OWN_NAMESPACE, type Permission, type PermissionOption } from '@kerf/runtime'
import type { ControllerSettings } from './deps.ts'
import { legacyPermissions } from './legacy/permissions.ts'
import { statusConfigMap } from './modes/coexistence/cluster-autoscaler-status.ts'
import { DECISIONS_CONFIG_MAP } from './modes/observe/decisions-config-map.ts'
import { podTemplateKind } from './provisioning/capacity-buffer/resolve.ts'
import { scalableKinds } from './provisioning/capacity-buffer/scalable-kinds.ts'
import { podOwnerKinds } from './provisioning/expected-pods/pod-owners.ts'
import { deviceKinds, spreadOwnerKinds } from './state/optional-kinds.ts'

const admission =
  'with the admission plugin OwnerReferencesPermissionEnforcement, the API server checks this permission when an owner reference that blocks deletion is set'

const pools: readonly Permission[] = [
  mirrors(karpenterKinds.NodePool, 'reading which nodes may be launched'),
  may(['get'], karpenterKinds.NodePool, 'reading the stored conditions when the informer is out of date'),
  may(['patch'], karpenterKinds.NodePool, 'the hash of the template, used to detect drift'),
  may(['patch'], karpenterKinds.NodePool, 'conditions and the resources in use', { subresource: 'status' }),
  may(['update'], karpenterKinds.NodePool, 'owner references from NodeClaims to their NodePool', {
    subresource: 'finalizers',
    unseen: admission,
  }),
]

const claims: readonly Permission[] = [
  mirrors(karpenterKinds.NodeClaim, 'reading existing nodes and nodes that are being launched'),
  may(['get'], karpenterKinds.NodeClaim, 'reading the current object before a step that must not use a stale copy'),
  may(['create', 'delete'], karpenterKinds.NodeClaim, 'launching and disrupting nodes'),
  may(['patch'], karpenterKinds.NodeClaim, 'finalizer, annotations and labels'),
  may(['patch'], karpenterKinds.NodeClaim, 'what was launched, and the conditions', { subresource: 'status' }),
  may(['update'], karpenterKinds.NodeClaim, 'owner references from Nodes to their NodeClaim', {
    subresource: 'finalizers',
    unseen: admission,
  }),
]

const nodes: readonly Permission[] = [
  mirrors(kinds.Node, 'reading the nodes and their free capacity'),
  may(['get'], kinds.Node, 'reading the current object before a step that must not use a stale copy'),
  may(['patch'], kinds.Node, 'labels and taints of the NodeClaim, the taint of a disrupted node, the finalizer'),
  may(['delete'], kinds.Node, 'deleting the Node of a deleted NodeClaim, so that it is drained'),
]

const pods: readonly Permission[] = [
  mirrors(kinds.Pod, 'reading pending pods, and which pods run on which node'),
  may(['patch'], kinds.Pod, 'nominating a node for a pod before the node is ready', { subresource: 'status' }),
  may(['create'], kinds.Pod, 'evicting pods, which respects PodDisruptionBudgets', { subresource: 'eviction' }),
  may(['delete'], kinds.Pod, 'deleting the pods that remain after the termination grace period of their node'),
]

/** Resource kinds that restrict where a pod can run, and resource kinds whose objects create pods. */
const constraints: readonly Permission[] = [
  mirrors(kinds.Namespace, 'evaluating namespace selectors in pod affinity'),
  mirrors(kinds.DaemonSet, 'the DaemonSet pods that each new node will run'),
  mirrors(kinds.PodDisruptionBudget, 'whether the pods of a node can be evicted'),
  mirrors(kinds.PersistentVolumeClaim, 'the zone of a pod’s volumes'),
  mirrors(kinds.PersistentVolume, 'the zone of a pod’s volumes'),
  mirrors(kinds.StorageClass, 'the zones in which a new volume can be created'),
  mirrors(kinds.CSINode, 'the volume limits of a node'),
  mirrors(kinds.VolumeAttachment, 'waiting until the volumes of a node are detached'),
]

const owners: readonly Permission[] = spreadOwnerKinds.map((kind) =>
  mirrors(kind, 'the selectors of the default topology spread', { when: 'DefaultSpread' }),
)

const expected: readonly Permission[] = [
  ...podOwnerKinds.map(({ kind }) =>
    mirrors(kind, 'the pods that an owner still has to create', { when: 'ExpectedPods' }),
  ),
  mirrors(kinds.ResourceQuota, 'how many of these pods a namespace admits', { when: 'ExpectedPods' }),
]

const devices: readonly Permission[] = deviceKinds.map((kind) =>
  mirrors(kind, 'the devices of nodes, and which pods claim them', { when: 'Devices' }),
)

const others: readonly Permission[] = [
  may(['get'], kinds.ConfigMap, 'the node groups that Cluster Autoscaler reports', {
    namespace: statusConfigMap.namespace,
    names: [statusConfigMap.name],
    when: 'ForeignNodes',
  }),
]

const observation: readonly Permission[] = [
  may(['create'], kinds.ConfigMap, 'creating the ConfigMap of decisions', {
    namespace: OWN_NAMESPACE,
    when: 'Observe',
    observing: true,
  }),
  may(['patch'], kinds.ConfigMap, 'writing what Kerf would do', {
    namespace: OWN_NAMESPACE,
    names: [DECISIONS_CONFIG_MAP],
    when: 'Observe',
    observing: true,
  }),
]

const overlays: readonly Permission[] = [
  mirrors(karpenterKinds.NodeOverlay, 'prices and capacity that an administrator sets', { when: 'NodeOverlay' }),
  may(['patch'], karpenterKinds.NodeOverlay, 'conditions', { subresource: 'status', when: 'NodeOverlay' }),
]

const buffers: readonly Permission[] = [
  mirrors(karpenterKinds.CapacityBuffer, 'reading how much capacity to keep free', { when: 'CapacityBuffer' }),
  may(['patch'], karpenterKinds.CapacityBuffer, 'conditions and the size of the buffer', {
    subresource: 'status',
    when: 'CapacityBuffer',
  }),
  may(['get', 'list', 'watch'], podTemplateKind, 'the pod template of a buffer', { when: 'CapacityBuffer' }),
  may(['get'], kinds.ResourceClaimTemplate, 'the devices that the pods of a buffer claim', { when: 'Devices' }),
  ...scalableKinds.map((kind) =>
    may(['get', 'list', 'watch'], kind, 'the pod template and the replicas of a buffer', { when: 'CapacityBuffer' }),
  ),
]

const policies: readonly Permission[] = [
  mirrors(policyKinds.ClusterPolicy, 'the ceilings over the whole cluster, and where declared prices are'),
  may(['get'], kinds.ConfigMap, 'the prices that the price book of the ClusterPolicy declares', {
    namespace: OWN_NAMESPACE,
    names: [PRICE_CONFIG_MAP],
  }),
  may(['get'], kinds.ConfigMap, 'the commitments that the ClusterPolicy reads from a ConfigMap', {
    namespace: OWN_NAMESPACE,
    names: [COMMITMENT_CONFIG_MAP],
  }),
  may(
    ['patch'],
    policyKinds.ClusterPolicy,
    'the condition, the declared prices in force, and what is left below the ceilings',
    {
      subresource: 'status',
    },
  ),
  mirrors(policyKinds.NodePoolPolicy, 'the rules for some NodePools'),
  may(['patch'], policyKinds.NodePoolPolicy, 'whether the policy applies to each target, and what it does there', {
    subresource: 'status',
  }),
]

/**
 * Returns the RBAC rules of the controllers with all optional features, for these node classes. Without `templates`, omits the rules for
 * the legacy API. A provider declares its additional permissions itself.
 */
export const controllerPermissions = (
  nodeClasses: readonly ResourceKind[],
  templates?: LegacyTemplates,
): readonly Permission[] => [
  ...pools,
  ...claims,
  ...nodes,
  ...pods,
  ...constraints,
  ...owners,
  ...expected,
  ...devices,
  ...others,
  ...observation,
  ...overlays,
  ...buffers,
  ...policies,
  ...(templates === undefined ? [] : legacyPermissions(nodeClasses, templates)),
  ...nodeClasses.map((kind) => mirrors(kind, 'whether the node class of a NodePool is ready')),
]

/** Returns the optional permissions that these settings require. */
export const permissionOptions = (
  settings: Pick<
    ControllerSettings,
    | 'featureGates'
    | 'ignoreDraRequests'
    | 'defaultSpreadConstraints'
    | 'legacyApis'
    | 'foreignNodes'
    | 'observe'
    | 'planExpectedPods'
  >,
): readonly PermissionOption[] => [
  ...(settings.featureGates.NodeOverlay ? (['NodeOverlay'] as const) : []),
  ...(settings.featureGates.CapacityBuffer ? (['CapacityBuffer'] as const) : []),
  ...(settings.legacyApis ? (['LegacyApis'] as const) : []),
  ...(settings.observe ? (['Observe'] as const) : []),
  ...(settings.foreignNodes === 'ignore' ? (['ForeignNodes'] as const) : []),
  ...(settings.ignoreDraRequests ? [] : (['Devices'] as const)),
  ...(settings.planExpectedPods === 'on' ? (['ExpectedPods'] as const) : []),
  ...(settings.defaultSpreadConstraints.length > 0 ? (['DefaultSpread'] as const) : []),
]
