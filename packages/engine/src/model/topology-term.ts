import type { LabelQuery } from '../requirements/label-query.ts'

export type TopologyType = 'spread' | 'affinity' | 'anti-affinity'

/** The namespaces of a term; `undefined` for all. */
export type NamespaceScope = readonly string[] | undefined

/** Selects the pods of a term. */
export interface PodSelection {
  readonly namespaces: NamespaceScope
  readonly query: LabelQuery
}

/** A spread constraint, affinity term or anti-affinity term of a pod. Its selector and namespaces are resolved. */
export interface TopologyTerm extends PodSelection {
  readonly type: TopologyType
  readonly key: string
  /** For required affinity only: the selections of the pod's other terms. A pod is counted only if it matches these as well. */
  readonly others: readonly PodSelection[]
  readonly required: boolean
  /** Only set for spread constraints. */
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}
