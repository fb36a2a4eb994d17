/**
 * Label keys and what may be done with them (`docs/spec/labels.md#core-labels`, `docs/spec/labels.md#normalised-keys`,
 * `docs/spec/labels.md#restricted-keys`).
 */

export const labels = {
  /** The NodePool a NodeClaim or node belongs to. Its presence means: managed. */
  nodePool: 'karpenter.sh/nodepool',
  /** `on-demand`, `spot` or `reserved`. */
  capacityType: 'karpenter.sh/capacity-type',
  /** `"true"` on a node once its claim's labels and taints are on it. */
  registered: 'karpenter.sh/registered',
  /** `"true"` on a node once it is ready for pods. */
  initialized: 'karpenter.sh/initialized',
  /** `"true"` makes registration leave the node's taints alone. */
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  /** Set to `karpenter` on a node that is going away. */
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

/** Labels that every instance type has a requirement for. Providers add theirs. */
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

/** The well-known labels that differ between the offerings of one instance type. */
export const offeringLabels: ReadonlySet<string> = new Set([labels.zone, labels.capacityType])

export const wellKnownResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods'])

/** Labels with a closed set of values. */
export const wellKnownValues: Readonly<Record<string, readonly string[]>> = {
  [labels.capacityType]: Object.values(capacityTypes),
}

/** Domains whose labels only Karpenter sets, the well-known ones excepted. Subdomains are included. */
export const restrictedDomains: ReadonlySet<string> = new Set(['karpenter.sh'])
export const restrictedLabels: ReadonlySet<string> = new Set([labels.hostname])

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', labels.zone],
  ['failure-domain.beta.kubernetes.io/region', labels.region],
  ['beta.kubernetes.io/arch', labels.arch],
  ['beta.kubernetes.io/os', labels.os],
  ['beta.kubernetes.io/instance-type', labels.instanceType],
])

/** What a provider adds to the labels that core knows. */
export interface LabelVocabulary {
  readonly wellKnown?: ReadonlySet<string>
  readonly restrictedDomains?: ReadonlySet<string>
  /** Old or foreign names of labels, and the ones they stand for. */
  readonly aliases?: ReadonlyMap<string, string>
  /** Closed value sets by label. */
  readonly knownValues?: Readonly<Record<string, readonly string[]>>
}

/** The name under which a label key is compared: aliases become the label they stand for. */
export const normalizeLabel = (key: string, vocabulary: LabelVocabulary = {}): string =>
  ALIASES.get(key) ?? vocabulary.aliases?.get(key) ?? key

export const isWellKnownLabel = (key: string, vocabulary: LabelVocabulary = {}): boolean =>
  wellKnownLabels.has(key) || (vocabulary.wellKnown?.has(key) ?? false)

/** The part of a key before the slash; empty without one. */
export const labelDomain = (key: string): string => {
  const slash = key.indexOf('/')
  return slash < 0 ? '' : key.slice(0, slash)
}

const isWithin = (domain: string, restricted: string): boolean =>
  domain === restricted || domain.endsWith(`.${restricted}`)

/**
 * Whether users may not set or require the label (`docs/spec/labels.md#restricted-keys`): `kubernetes.io/hostname`, and
 * everything in a restricted domain that is not well-known.
 */
export const isRestrictedLabel = (key: string, vocabulary: LabelVocabulary = {}): boolean => {
  if (isWellKnownLabel(key, vocabulary)) return false
  if (restrictedLabels.has(key)) return true
  const domain = labelDomain(key)
  for (const restricted of restrictedDomains) if (isWithin(domain, restricted)) return true
  for (const restricted of vocabulary.restrictedDomains ?? []) if (isWithin(domain, restricted)) return true
  return false
}

/** The label that names the node class of a NodeClaim or node: `<group>/<kind in lower case>`. */
export const nodeClassLabel = (ref: { readonly group: string; readonly kind: string }): string =>
  `${ref.group}/${ref.kind.toLowerCase()}`
