import type { NodeSelectorTerm, PodAffinityTerm, Toleration, TopologySpreadConstraint } from '@kerf/apis'

/** What of a pod's wishes is still insisted on. */
export interface PodPreferences {
  /** Alternatives that the node must match one of; only the first counts. */
  readonly requiredNodeTerms: readonly NodeSelectorTerm[]
  /** Heaviest first. */
  readonly preferredNodeTerms: readonly NodeSelectorTerm[]
  readonly preferredAffinity: readonly PodAffinityTerm[]
  readonly preferredAntiAffinity: readonly PodAffinityTerm[]
  readonly spread: readonly TopologySpreadConstraint[]
  readonly tolerations: readonly Toleration[]
}
