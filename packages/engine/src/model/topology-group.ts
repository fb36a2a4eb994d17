import type { Toleration } from '@kerf/apis'
import type { LabelQuery } from '../requirements/label-query.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { TopologyType } from './topology-term.ts'

/** Selects the nodes that a spread constraint takes into account (`docs/spec/scheduling.md#topology-groups`). */
export interface NodeFilter {
  readonly identity: string
  /** The node must match at least one of these; `undefined` if all nodes are taken into account. */
  readonly alternatives: readonly Requirements[] | undefined
  /** One of these must tolerate each of the node's taints; `undefined` if taints do not matter. */
  readonly tolerations: readonly Toleration[] | undefined
}

/** Selects pods by namespace and labels. */
export interface PodQuery {
  /** `undefined` for all namespaces. */
  readonly namespaces: ReadonlySet<string> | undefined
  readonly query: LabelQuery
}

/**
 * The pods that a spread constraint or an affinity or anti-affinity term selects. All pods with an equal term share one group. A group
 * counts the pods that its term selects. An inverse group counts the pods that *have* its anti-affinity term. The counts per domain are
 * stored elsewhere, by the number of the group (`topology/cluster-counts.ts`, `topology/topology-counts.ts`).
 */
export interface TopologyGroup {
  readonly id: number
  readonly type: TopologyType
  readonly isInverse: boolean
  readonly key: string
  readonly isHost: boolean
  /** The number of the key. The hostname has -1; all other topology keys are numbered from 0. */
  readonly keyNumber: number
  /** The namespaces of the pods to count; `undefined` for all. */
  readonly namespaces: ReadonlySet<string> | undefined
  readonly query: LabelQuery
  /** The group counts a pod only if all of these queries select it as well. */
  readonly others: readonly PodQuery[]
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly filter: NodeFilter | undefined
}
