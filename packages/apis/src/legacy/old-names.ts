import type { LegacyTemplates } from './legacy-templates.ts'

/**
 * The old names of labels and annotations, of the core and of a provider
 * (`docs/spec/older-apis.md#older-labels-annotations-taints-and-tags`).
 */
export interface OldNames {
  /** The new keys of old labels and annotations, or `undefined` if v1 has no replacement. */
  readonly renamed: ReadonlyMap<string, string | undefined>
  /** Annotations that the old controllers maintained, and kubectl's copy of the old object. */
  readonly ownAnnotations: ReadonlySet<string>
}

/** Returns the old names of the core and of these templates' provider. */
export const oldNames = ({
  goneLabels,
  ownAnnotations,
}: Pick<LegacyTemplates, 'goneLabels' | 'ownAnnotations'>): OldNames => ({
  renamed: new Map([
    ['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool'],
    ['karpenter.sh/do-not-evict', 'karpenter.sh/do-not-disrupt'],
    ['karpenter.sh/do-not-consolidate', 'karpenter.sh/do-not-disrupt'],
    ...goneLabels.map((label) => [label, undefined] as const),
  ]),
  ownAnnotations: new Set([
    'karpenter.sh/provisioner-hash',
    'karpenter.sh/nodepool-hash',
    'karpenter.sh/nodepool-hash-version',
    ...ownAnnotations,
    'kubectl.kubernetes.io/last-applied-configuration',
  ]),
})

/** Returns whether the key is the label that contains the pool's name. A pool must not use it in its labels and requirements. */
const isOwnName = (key: string): boolean => key === 'karpenter.sh/provisioner-name' || key === 'karpenter.sh/nodepool'

/**
 * Returns whether a pool must not use the key in v1. This applies to the label that contains the pool's name, and to labels that v1 does
 * not have.
 */
export const isGoneName = (names: OldNames, key: string): boolean =>
  isOwnName(key) || (names.renamed.has(key) && names.renamed.get(key) === undefined)
