import type { GCENodeClass } from './gce-node-class.ts'

/**
 * The image family, which determines how nodes are bootstrapped. Custom means the user's own images, which are bootstrapped like
 * ContainerOptimizedOS.
 */
export type ImageFamily = 'Ubuntu' | 'ContainerOptimizedOS' | 'Custom'

const FAMILY_OF_TERM = {
  ContainerOptimizedOS: 'ContainerOptimizedOS',
  Ubuntu2404: 'Ubuntu',
  Ubuntu2204: 'Ubuntu',
} as const

/**
 * Returns the image family of a node class: the field `imageFamily`, then the family of the first alias, then the first family of a term,
 * then Custom (`providers/gcp/docs/spec/gcp.md#hash`).
 */
export const classImageFamily = ({ spec }: Pick<GCENodeClass, 'spec'>): ImageFamily => {
  if (spec?.imageFamily !== undefined) return spec.imageFamily
  const terms = spec?.imageSelectorTerms ?? []
  const alias = terms.find((term) => (term.alias ?? '') !== '')?.alias
  if (alias !== undefined) return alias.startsWith('Ubuntu@') ? 'Ubuntu' : 'ContainerOptimizedOS'
  const family = terms.find((term) => term.family !== undefined)?.family
  return family === undefined ? 'Custom' : FAMILY_OF_TERM[family]
}
