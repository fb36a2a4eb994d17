import type { InstanceType, Offering } from '../instance-type.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { DaemonGroup } from './daemon.ts'

/** Greater than every price, so that offerings without a known price come last. */
export const UNKNOWN_PRICE = Number.POSITIVE_INFINITY

/** An instance type in the options of one or more pools. */
export interface TypeEntry {
  readonly type: InstanceType
  readonly requirements: Requirements
  /** The number of its daemon group. */
  readonly daemonGroup: number
}

/** One offering of an instance type. */
export interface OfferingEntry {
  readonly offering: Offering
  readonly requirements: Requirements
  /** The number of the offering's instance type. */
  readonly type: number
  readonly allocatable: Amounts
  /** `UNKNOWN_PRICE` if the price is unknown. */
  readonly price: number
  readonly zone: string
  readonly capacityType: string
  readonly reservation: string | undefined
}

/**
 * The part of a provider's instance types that the requirements of a pool allow. Contains the types ordered by name, and their available
 * offerings ordered by price, then type, zone and capacity type (`docs/spec/instance-types.md`). Pools that allow the same types and
 * offerings share one object.
 */
export interface InstanceTypeOptions {
  readonly types: readonly TypeEntry[]
  readonly offerings: readonly OfferingEntry[]
  readonly daemonGroups: readonly DaemonGroup[]
  /** The offerings of reserved capacity. */
  readonly reserved: readonly OfferingEntry[]
  /**
   * The requirements of every type that the pool allows, including unavailable instance types. They define the eligible domains for
   * topology spread.
   */
  readonly reachable: readonly Requirements[]
}
