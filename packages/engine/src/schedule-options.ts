import type { LabelVocabulary, TopologySpreadConstraint, UsdPerHour } from '@kerf/apis'

/** The meaning of labels, and the settings that affect a decision. If a setting is absent, Karpenter's default applies. */
export interface ScheduleOptions {
  /** The vocabulary of the provider that launches the nodes, with the label aliases that volumes of any provider may use. */
  readonly vocabulary: LabelVocabulary
  /**
   * `Respect` first treats preferences as if they were required. `Ignore` ignores preferred affinities and `ScheduleAnyway` constraints.
   */
  readonly preferencePolicy?: 'Respect' | 'Ignore'
  readonly minValuesPolicy?: 'Strict' | 'BestEffort'
  /** `Strict` while provisioning, `Fallback` in disruption simulations. */
  readonly reservedMode?: 'Strict' | 'Fallback'
  readonly reservedCapacity?: boolean
  readonly ignoreDraRequests?: boolean
  readonly maxInstanceTypes?: number
  readonly defaultSpreadConstraints?: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[]
  /** The units of work of the improvement pass. 0 turns the pass off. If absent, the budget depends on the size of the batch. */
  readonly planBudget?: number
  /**
   * The overhead cost of every new node, in addition to the price of its instance. It covers, for example, licences and agents. Default: 0.
   */
  readonly nodeOverheadCost?: UsdPerHour
  /**
   * If false, the improvement pass takes the cheapest plan, even if it has many more nodes. Used to compute what the preference for fewer
   * nodes costs.
   */
  readonly prefersFewerNodes?: boolean
  /**
   * The additional cost that a plan with fewer nodes may have, as a fraction of the cost of the plan that the improvement pass would return
   * for a share of 0. With 0, the pass accepts fewer nodes only if the cost does not rise. Default: 0.005.
   */
  readonly fewerNodesCostShare?: number
  /**
   * The name of a NodePool whose spot nodes may have any number of types and zones in the improvement pass. Used to compute what the rule
   * about spot nodes costs.
   */
  readonly withoutSpotChoiceOf?: string
  /** Whether to fill `Plan.pendingByZone`. */
  readonly countsZones?: boolean
  /** Whether the decision simulates consolidation. If so, pods do not move to nodes that are within their pool's `consolidateAfter`. */
  readonly consolidation?: boolean
  readonly reservationIdLabel?: string
  /** Storage provisioners and topology keys that the provider does not support. */
  readonly unsupportedProvisioners?: readonly string[]
  readonly unsupportedTopologyKeys?: readonly string[]
}
