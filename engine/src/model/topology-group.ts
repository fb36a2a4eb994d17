import type { Toleration } from '@kerf/apis'
import type { LabelQuery } from '../requirements/label-query.ts'
import { labels } from '../requirements/label-rules.ts'
import type { Requirements } from '../requirements/requirements.ts'
import { HostCounts } from './host-counts.ts'
import type { TopologyTerm, TopologyType } from './topology-term.ts'

/** Which nodes count for a spread constraint (`docs/spec/scheduling.md#topology-groups`). */
export interface NodeFilter {
  readonly identity: string
  /** Some of these must hold; `undefined` for any node. */
  readonly alternatives: readonly Requirements[] | undefined
  /** The taints of the node must be tolerated by these; `undefined` for any taints. */
  readonly tolerations: readonly Toleration[] | undefined
}

/**
 * Pods that a spread constraint or an (anti-)affinity term looks at, counted by domain; shared by all pods with an equal
 * term. An inverse group counts the pods that *have* an anti-affinity term instead of those that it selects.
 */
export class TopologyGroup {
  readonly id: number
  readonly type: TopologyType
  readonly isInverse: boolean
  readonly key: string
  readonly isHost: boolean
  /** Number of the key among the topology keys that are not the host; -1 for the host. */
  readonly keyNumber: number
  readonly namespaces: ReadonlySet<string> | undefined
  readonly query: LabelQuery
  readonly maxSkew: number
  readonly minDomains: number | undefined
  readonly filter: NodeFilter | undefined
  /** By domain: whether it counts, and how many pods the cluster has there before the decision. */
  registered = new Uint8Array(0)
  counts = new Int32Array(0)
  readonly hosts = new HostCounts()

  constructor(id: number, term: TopologyTerm, keyNumber: number, filter: NodeFilter | undefined, isInverse: boolean) {
    this.id = id
    this.type = term.type
    this.isInverse = isInverse
    this.key = term.key
    this.isHost = term.key === labels.hostname
    this.keyNumber = keyNumber
    this.namespaces = term.namespaces === undefined ? undefined : new Set(term.namespaces)
    this.query = term.query
    this.maxSkew = term.maxSkew
    this.minDomains = term.minDomains
    this.filter = filter
  }

  /** Whether a pod of this namespace with these labels counts. */
  selects(namespace: string, podLabels: Readonly<Record<string, string>>): boolean {
    return (this.namespaces === undefined || this.namespaces.has(namespace)) && this.query.matches(podLabels)
  }
}
