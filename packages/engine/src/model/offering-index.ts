import type { Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Template } from './template.ts'

/** Offerings that have the same requirements on one label. */
export interface Profile {
  readonly type: Requirement | undefined
  readonly offering: Requirement | undefined
}

/** The distinct requirements that offerings have on one label. */
export interface KeyProfiles {
  readonly profiles: readonly Profile[]
  /** The number of the profile of each offering. */
  readonly of: Int32Array
}

/**
 * Sets of a template's offerings, stored as bits in price order: bit `i` is offering `i`, so the lowest set bit is the cheapest offering.
 */
export interface OfferingSets {
  /** The names of the offered capacity types. */
  readonly capacityTypes: readonly string[]
  /** For each offering, the index of its capacity type in `capacityTypes`. */
  readonly capacityTypeOf: Int32Array
  /** Returns the offerings that a node with these requirements may have. Leaves out instance types of the excluded daemon groups. */
  offeringsOf(
    requirements: Requirements,
    excludedGroups: readonly number[],
    allowed: Uint32Array | undefined,
  ): Uint32Array
  /** Returns the requirements that instance types and offerings have on a label. */
  profilesOf(key: string): KeyProfiles
}

/** A template's offerings with the capacity that daemons leave for pods, in the units of one decision. */
export interface OfferingIndex {
  readonly template: Template
  readonly sets: OfferingSets
  /** For each offering, the number of its row in `rows`: allocatable capacity minus the requests of daemons. */
  readonly vectorOf: Int32Array
  /**
   * The instance type and row of each offering, combined into one number. Offerings that differ only in price, zone or capacity type have
   * the same number.
   */
  readonly pairOf: Int32Array
  readonly pairCount: number
  readonly rows: Float64Array
  /** The numbers of the rows, ordered by the sum of their columns, largest first. One of the first rows dominates most of the others. */
  readonly largestFirst: Int32Array
  readonly width: number
  /** Returns whether offering `index` has enough capacity for `total`. */
  fits(index: number, total: Float64Array, offset?: number): boolean
}
