import type { NodeClaimSpec, Pod, UsdPerHour } from '@kerf/apis'
import type { RequirementSpec, Resources } from './instance-type.ts'
import type { SetAside } from './isolation/set-aside.ts'
import type { Reason } from './reason.ts'

export interface CheapestOffering {
  readonly instanceType: string
  readonly zone: string
  readonly capacityType: string
  /** Undefined where nobody knows it. */
  readonly price: UsdPerHour | undefined
}

/** A node to launch. */
export interface PlannedClaim {
  readonly nodePool: string
  readonly pods: readonly Pod[]
  readonly requirements: readonly RequirementSpec[]
  /** Ordered by the cheapest usable offering, then by name; at most the limit of the options (600). */
  readonly instanceTypes: readonly string[]
  readonly cheapest: CheapestOffering
  /** Pods and the daemons that will run here, `pods` included. */
  readonly requests: Resources
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** What to write as the NodeClaim's spec (`docs/spec/instance-types.md#the-nodeclaim-object`). */
  readonly spec: NodeClaimSpec
  readonly minValuesRelaxed: boolean
  /** Why this offering and no cheaper one, for people; data, made to sentences at the edge. */
  readonly reasons: readonly Reason[]
}

export interface PlannedPlacement {
  /** `NodeState.name`. */
  readonly node: string
  readonly pods: readonly Pod[]
}

export interface UnschedulablePod {
  readonly pod: Pod
  /** The first is the nearest miss. Never empty. */
  readonly reasons: readonly Reason[]
}

/** The answer to `schedule`: every pod that was asked about is in exactly one of the three lists. */
export interface Plan {
  readonly claims: readonly PlannedClaim[]
  readonly placements: readonly PlannedPlacement[]
  readonly unschedulable: readonly UnschedulablePod[]
  /** Sum of the claims' cheapest prices, as far as they are known, and of what every node costs beside its instance. */
  readonly hourlyCost: UsdPerHour
  /** How many claims nobody knows a price of. */
  readonly unpricedClaims: number
  /**
   * Waiting pods by the zone that they can use: its name, `flexible` for several zones, `none`; as it was before any of
   * them was placed. Only if asked for (`ScheduleOptions.countsZones`).
   */
  readonly pendingByZone?: ReadonlyMap<string, number>
  /** It was left off before all pods were tried, since it needs more claims than were of use (`WhatIfOptions.mostClaims`). */
  readonly isLeftOff?: boolean
  /** Objects that the plan was made without, because something threw while they were read; absent where there are none. */
  readonly setAside?: readonly SetAside[]
  /** Work done, in engine steps: the measure of tests and benches that must not look at a clock. */
  readonly steps: number
}
