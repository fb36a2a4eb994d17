import type { LabelQuery } from '../requirements/label-query.ts'

export type TopologyType = 'spread' | 'affinity' | 'anti-affinity'

/** Namespaces a term looks into; `undefined` is all of them. */
export type NamespaceScope = readonly string[] | undefined

/** One spread constraint or (anti-)affinity term of a pod, resolved. */
export interface TopologyTerm {
  readonly type: TopologyType
  readonly key: string
  readonly namespaces: NamespaceScope
  readonly query: LabelQuery
  readonly required: boolean
  /** Spread only. */
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}
