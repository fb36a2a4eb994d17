import type { NodeSelectorTerm, PodAffinityTerm, Toleration, TopologySpreadConstraint } from '@kerf/apis'

/** The preferences of a pod that have not been relaxed yet, and the alternatives of its required node affinity. */
export interface PodPreferences {
  /** The node must match one of these alternatives. The preferences of a variant contain only the alternative that the variant uses. */
  readonly requiredNodeTerms: readonly NodeSelectorTerm[]
  /** The preferences in descending order of weight. */
  readonly preferredNodeTerms: readonly NodeSelectorTerm[]
  readonly preferredAffinity: readonly PodAffinityTerm[]
  readonly preferredAntiAffinity: readonly PodAffinityTerm[]
  readonly spread: readonly TopologySpreadConstraint[]
  readonly tolerations: readonly Toleration[]
}
