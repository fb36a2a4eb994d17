import type { LabelVocabulary, TopologySpreadConstraint, UsdPerHour } from '@kerf/apis'

/** The meaning of labels, and the settings that change a decision. An absent setting has Karpenter's default. */
export interface ScheduleOptions {
  /** The vocabulary of the provider that launches the nodes, plus the label aliases for the volumes of all providers. */
  readonly vocabulary: LabelVocabulary
  /** `Respect` treats preferences as required first. `Ignore` ignores preferred affinities and `ScheduleAnyway`. */
  readonly preferencePolicy?: 'Respect' | 'Ignore'
  readonly minValuesPolicy?: 'Strict' | 'BestEffort'
  /** `Strict` while provisioning, `Fallback` in disruption simulations. */
  readonly reservedMode?: 'Strict' | 'Fallback'
  readonly reservedCapacity?: boolean
  readonly ignoreDraRequests?: boolean
  readonly maxInstanceTypes?: number
  readonly defaultSpreadConstraints?: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[]
  /** Work units of the improvement pass. 0 turns it off; if absent, the budget depends on the size of the batch. */
  readonly planBudget?: number
  /** The cost of every new node in addition to its instance, such as licences and agents; 0 if absent. */
  readonly nodeOverheadCost?: UsdPerHour
  /**
   * If false, the improvement pass takes the cheapest plan, however many more nodes it has. Used to compute the cost of the
   * preference for fewer nodes.
   */
  readonly prefersFewerNodes?: boolean
  /**
   * A NodePool whose spot nodes need no choice of several types and zones in the improvement pass. Used to compute the cost
   * of that rule.
   */
  readonly withoutSpotChoiceOf?: string
  /** Fills `Plan.pendingByZone`. */
  readonly countsZones?: boolean
  /** The decision simulates consolidation: pods do not move to nodes under `consolidateAfter`. */
  readonly consolidation?: boolean
  readonly reservationIdLabel?: string
  /** Storage provisioners and topology keys that the provider does not support. */
  readonly unsupportedProvisioners?: readonly string[]
  readonly unsupportedTopologyKeys?: readonly string[]
}
