import type { InstanceType, Offering } from '../instance-type.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { DaemonGroup } from './daemon.ts'

/** More than every price: what nobody knows the price of comes last. */
export const UNKNOWN_PRICE = Number.POSITIVE_INFINITY

/** An instance type as some pools may use it. */
export interface TypeEntry {
  readonly type: InstanceType
  readonly requirements: Requirements
  /** Number of the daemon group. */
  readonly daemonGroup: number
}

/** One way to buy one type. */
export interface OfferingEntry {
  readonly offering: Offering
  readonly requirements: Requirements
  /** Number of the type. */
  readonly type: number
  readonly allocatable: Amounts
  /** `UNKNOWN_PRICE` where nobody knows it. */
  readonly price: number
  readonly zone: string
  readonly capacityType: string
  readonly reservation: string | undefined
}

/**
 * What is left of a provider's instance types after the requirements of a pool: types by name, and their available offerings by price,
 * then type, zone and capacity type (`docs/spec/instance-types.md`). Pools that differ in nothing the types know
 * share one.
 */
export interface InstanceTypeOptions {
  readonly types: readonly TypeEntry[]
  readonly offerings: readonly OfferingEntry[]
  readonly daemonGroups: readonly DaemonGroup[]
  /** The offerings that are reserved capacity. */
  readonly reserved: readonly OfferingEntry[]
  /** Requirements of every type that the pool's allow, available or not: the domains that count for spread are theirs. */
  readonly reachable: readonly Requirements[]
}
