import type { Milliseconds } from '@kerf/apis'
import { GcpApiError } from '../api/gcp-api-error.ts'

const MINUTE: Milliseconds = 60_000

/** The kind of capacity that a launch lacked, and how long Kerf treats it as unavailable. */
export interface Shortage {
  /**
   * `offering`: the type in its zone. `quota`: the larger types of the family in the region. `addresses`: every type of the node classes
   * with the same address range.
   */
  readonly of: 'offering' | 'quota' | 'addresses'
  readonly unavailableFor: Milliseconds
}

/** The consequence of a refused launch for the other offerings of the NodeClaim. */
export interface LaunchRefusal {
  /**
   * `next`: try another offering. `exists`: an instance with that name exists, so read it. `stop`: no other offering can help, or it is
   * unknown whether the instance was created.
   */
  readonly nextStep: 'next' | 'exists' | 'stop'
  /** The shortage that caused the refusal. Undefined if the cause is not a shortage. */
  readonly shortage?: Shortage | undefined
}

/** How long an offering without capacity stays unavailable. Upstream uses the same duration. */
export const UNAVAILABLE_FOR: Milliseconds = 30 * MINUTE
const ADDRESSES_FOR: Milliseconds = MINUTE / 2
/** How long instance types stay unavailable because of a quota. When nodes are removed, the quota allows new ones again. */
const QUOTA_FOR: Milliseconds = 5 * MINUTE

const ofOffering: Shortage = { of: 'offering', unavailableFor: UNAVAILABLE_FOR }
const ofAddresses: Shortage = { of: 'addresses', unavailableFor: ADDRESSES_FOR }
const ofQuota: Shortage = { of: 'quota', unavailableFor: QUOTA_FOR }

const SHORTAGES: ReadonlyMap<string, Shortage> = new Map([
  ['ZONE_RESOURCE_POOL_EXHAUSTED', ofOffering],
  ['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', ofOffering],
  ['IP_SPACE_EXHAUSTED', ofAddresses],
  ['IP_SPACE_EXHAUSTED_WITH_DETAILS', ofAddresses],
  ['QUOTA_EXCEEDED', ofQuota],
  ['quotaExceeded', ofQuota],
])

/**
 * Interprets the error of an insert (`providers/gcp/docs/spec/gcp.md#refused-launches`). After a server error or without a response, the
 * instance may exist. The next attempt then finds it by its name.
 */
export const insertRefusal = (error: unknown): LaunchRefusal => {
  if (!(error instanceof GcpApiError)) return { nextStep: 'stop' }
  const { reason, status } = error
  if (status === 409) return { nextStep: 'exists' }
  const shortage = SHORTAGES.get(reason)
  if (shortage === undefined) return { nextStep: 'stop' }
  // If an address range is full, Compute Engine refuses inserts of every instance type, so another offering does not help.
  return { nextStep: shortage.of === 'addresses' ? 'stop' : 'next', shortage }
}

/**
 * Returns the shortage that made an operation fail, from the first code that means a shortage. Returns undefined for any other error,
 * because it affects only this attempt, which created no instance.
 */
export const operationShortage = (codes: readonly string[]): Shortage | undefined =>
  codes.map((code) => SHORTAGES.get(code)).find((each) => each !== undefined)
