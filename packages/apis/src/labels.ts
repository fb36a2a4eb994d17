/**
 * The keys of labels, and their rules (`docs/spec/labels.md#core-labels`, `docs/spec/labels.md#normalised-keys`,
 * `docs/spec/labels.md#restricted-keys`).
 */

export const labels = {
  /** The NodePool of a NodeClaim or node. Kerf manages the objects that have this label. */
  nodePool: 'karpenter.sh/nodepool',
  /** `on-demand`, `spot` or `reserved`. */
  capacityType: 'karpenter.sh/capacity-type',
  /** `"true"` on a node after Kerf has added the labels and taints of its claim. */
  registered: 'karpenter.sh/registered',
  /** `"true"` on a node that has become ready to run pods. */
  initialized: 'karpenter.sh/initialized',
  /** If `"true"`, registration does not change the node's taints. */
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  /** Set to `karpenter` on a node that is being removed. */
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  hostname: 'kubernetes.io/hostname',
} as const

export const capacityTypes = { onDemand: 'on-demand', spot: 'spot', reserved: 'reserved' } as const
export type CapacityType = (typeof capacityTypes)[keyof typeof capacityTypes]

export const architectures = ['amd64', 'arm64'] as const

/** Every instance type has a requirement for each of these labels. Providers add further labels. */
export const wellKnownLabels: ReadonlySet<string> = new Set([
  labels.nodePool,
  labels.capacityType,
  labels.zone,
  labels.region,
  labels.instanceType,
  labels.arch,
  labels.os,
  labels.windowsBuild,
])

/** The well-known labels whose values differ between the offerings of an instance type. */
export const offeringLabels: ReadonlySet<string> = new Set([labels.zone, labels.capacityType])

export const wellKnownResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods'])

/** Returns the key of the label that contains the name of the node class of a NodeClaim or node: `<group>/<kind in lower case>`. */
export const nodeClassLabel = (ref: { readonly group: string; readonly kind: string }): string =>
  `${ref.group}/${ref.kind.toLowerCase()}`
