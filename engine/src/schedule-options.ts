import type { TopologySpreadConstraint, UsdPerHour } from '@kerf/apis'

/** Settings that change a decision; all have upstream's defaults when absent. */
export interface ScheduleOptions {
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
  /** Labels that providers add to the well-known set, and value aliases by canonical key. */
  readonly wellKnownLabels?: readonly string[]
  readonly valueAliases?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly reservationIdLabel?: string
  /** Storage provisioners and topology keys the provider cannot serve. */
  readonly unsupportedProvisioners?: readonly string[]
  readonly unsupportedTopologyKeys?: readonly string[]
}
