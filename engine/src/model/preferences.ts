import type { NodeSelectorTerm, PodAffinityTerm, Toleration, TopologySpreadConstraint } from '@kerf/apis'

/** The preferences of a pod that were not given up yet, and the alternatives of what it requires. */
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
