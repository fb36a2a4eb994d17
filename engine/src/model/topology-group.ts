import type { Toleration } from '@kerf/apis'
import type { LabelQuery } from '../requirements/label-query.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { TopologyType } from './topology-term.ts'

/** Which nodes count for a spread constraint (`docs/spec/scheduling.md#topology-groups`). */
export interface NodeFilter {
  readonly identity: string
  /** Some of these must hold; `undefined` for any node. */
  readonly alternatives: readonly Requirements[] | undefined
  /** The taints of the node must be tolerated by these; `undefined` for any taints. */
  readonly tolerations: readonly Toleration[] | undefined
}

/** Which pods are selected, by namespace and labels. */
export interface PodQuery {
  /** `undefined` for all. */
  readonly namespaces: ReadonlySet<string> | undefined
  readonly query: LabelQuery
}

/**
 * Pods that a spread constraint or an (anti-)affinity term looks at; shared by all pods with an equal term. An inverse group
 * counts the pods that *have* an anti-affinity term instead of those that it selects. How many there are in each domain is
 * counted elsewhere, by the group's number (`topology/cluster-counts.ts`, `topology/topology-counts.ts`).
 */
export interface TopologyGroup {
  readonly id: number
  readonly type: TopologyType
  readonly isInverse: boolean
  readonly key: string
  readonly isHost: boolean
  /** Number of the key among the topology keys that are not the host; -1 for the host. */
  readonly keyNumber: number
  /** Namespaces whose pods count; `undefined` for all. */
  readonly namespaces: ReadonlySet<string> | undefined
  readonly query: LabelQuery
  /** A pod counts only if it is selected by all of these as well. */
  readonly others: readonly PodQuery[]
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly filter: NodeFilter | undefined
}
