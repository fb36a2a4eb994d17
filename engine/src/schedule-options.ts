import type { LabelVocabulary, TopologySpreadConstraint, UsdPerHour } from '@kerf/apis'

/** What labels mean, and settings that change a decision; those have upstream's defaults when absent. */
export interface ScheduleOptions {
  /** Of the provider that launches, with the aliases of every provider's volumes. */
  readonly vocabulary: LabelVocabulary
  /** Treat preferences as required first (`Respect`), or ignore preferred affinities and ScheduleAnyway. */
  readonly preferencePolicy?: 'Respect' | 'Ignore'
  readonly minValuesPolicy?: 'Strict' | 'BestEffort'
  /** `Strict` while provisioning, `Fallback` in disruption simulations. */
  readonly reservedMode?: 'Strict' | 'Fallback'
  readonly reservedCapacity?: boolean
  readonly ignoreDraRequests?: boolean
  readonly maxInstanceTypes?: number
  readonly defaultSpreadConstraints?: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[]
  /** Work units of the improvement pass; 0 turns it off, absent lets the batch decide. */
  readonly planBudget?: number
  /** What every new node costs beside its instance, such as licences and agents; 0 when absent. */
  readonly nodeOverheadCost?: UsdPerHour
  /** False: the improvement takes the cheapest plan, however many nodes more it has. To tell what the preference costs. */
  readonly prefersFewerNodes?: boolean
  /** The NodePool whose spot nodes need no choice of types and zones in the improvement. To tell what that costs. */
  readonly withoutSpotChoiceOf?: string
  /** Fills `Plan.pendingByZone`. */
  readonly countsZones?: boolean
  /** Turns on the consolidate-after rule for destinations. */
  readonly consolidation?: boolean
  readonly reservationIdLabel?: string
  /** Storage provisioners and topology keys the provider cannot serve. */
  readonly unsupportedProvisioners?: readonly string[]
  readonly unsupportedTopologyKeys?: readonly string[]
}
