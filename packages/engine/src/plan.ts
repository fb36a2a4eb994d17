import type { NodeClaimSpec, Pod, UsdPerHour } from '@kerf/apis'
import type { RequirementSpec, Resources } from './instance-type.ts'
import type { SetAside } from './isolation/set-aside.ts'
import type { Reason } from './reasons/reason.ts'

export interface CheapestOffering {
  readonly instanceType: string
  readonly zone: string
  readonly capacityType: string
  /** Undefined if the price is unknown. */
  readonly price: UsdPerHour | undefined
}

/** A node to launch. */
export interface PlannedClaim {
  readonly nodePool: string
  readonly pods: readonly Pod[]
  readonly requirements: readonly RequirementSpec[]
  /**
   * The instance types, ordered by the price of the cheapest usable offering, then by name. At most `ScheduleOptions.maxInstanceTypes` (600
   * by default).
   */
  readonly instanceTypes: readonly string[]
  readonly cheapest: CheapestOffering
  /**
   * The commitment that covers the node, so that its price is 0. Absent if no commitment covers it (`docs/spec/policies.md#commitments`).
   */
  readonly commitment?: string
  /** The sum of the requests of `pods` and of the daemons that will run on the node. */
  readonly requests: Resources
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** The spec of the NodeClaim to create (`docs/spec/instance-types.md#the-nodeclaim-object`). */
  readonly spec: NodeClaimSpec
  readonly minValuesRelaxed: boolean
  /** The reasons, as data, why the plan uses this offering instead of a cheaper one. The caller turns the reasons into sentences. */
  readonly reasons: readonly Reason[]
}

export interface PlannedPlacement {
  /** `NodeState.name`. */
  readonly node: string
  readonly pods: readonly Pod[]
}

export interface UnschedulablePod {
  readonly pod: Pod
  /** The reasons; never empty. The reason of the pool or node that came closest to taking the pod is first. */
  readonly reasons: readonly Reason[]
}

/** The result of `schedule`. Every pod of the batch is in exactly one of the three lists. */
export interface Plan {
  readonly claims: readonly PlannedClaim[]
  readonly placements: readonly PlannedPlacement[]
  readonly unschedulable: readonly UnschedulablePod[]
  /** The sum of the claims' cheapest known prices, plus `nodeOverheadCost` for every new node. */
  readonly hourlyCost: UsdPerHour
  /** The number of claims without a known price. */
  readonly unpricedClaims: number
  /**
   * The number of pending pods for each zone that they can use: the name of the zone, `flexible` if there are several, or `none`. Counted
   * before any of them is placed. Only set if `ScheduleOptions.countsZones` is true.
   */
  readonly pendingByZone?: ReadonlyMap<string, number>
  /** Whether the decision stopped before it tried all pods, because the plan needs more claims than `WhatIfOptions.mostClaims`. */
  readonly isLeftOff?: boolean
  /** Objects that the plan ignores because reading them threw an error; absent if there are none. */
  readonly setAside?: readonly SetAside[]
  /** The work done, in engine steps. Tests and benchmarks measure it instead of time. */
  readonly steps: number
}
