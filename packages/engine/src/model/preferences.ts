import type { NodeSelectorTerm, PodAffinityTerm, Toleration, TopologySpreadConstraint } from '@kerf/apis'

/** The preferences of a pod that have not been relaxed yet, and the alternatives of its required node affinity. */
export interface PodPreferences {
  /** The node must match one of these alternatives. A variant has only the one that it uses. */
  readonly requiredNodeTerms: readonly NodeSelectorTerm[]
  /** The preferences in descending order of weight. */
  readonly preferredNodeTerms: readonly NodeSelectorTerm[]
  readonly preferredAffinity: readonly PodAffinityTerm[]
  readonly preferredAntiAffinity: readonly PodAffinityTerm[]
  readonly spread: readonly TopologySpreadConstraint[]
  readonly tolerations: readonly Toleration[]
}
