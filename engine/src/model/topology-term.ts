import type { LabelQuery } from '../requirements/label-query.ts'

export type TopologyType = 'spread' | 'affinity' | 'anti-affinity'

/** Namespaces a term looks into; `undefined` is all of them. */
export type NamespaceScope = readonly string[] | undefined

/** Which pods a term looks at. */
export interface PodSelection {
  readonly namespaces: NamespaceScope
  readonly query: LabelQuery
}

/** One spread constraint or (anti-)affinity term of a pod, resolved. */
export interface TopologyTerm extends PodSelection {
  readonly type: TopologyType
  readonly key: string
  /** Required affinity only: what the pod's other terms select, which a pod must match as well to count. */
  readonly others: readonly PodSelection[]
  readonly required: boolean
  /** Spread only. */
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}
