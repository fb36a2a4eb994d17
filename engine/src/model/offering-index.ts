import type { Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Template } from './template.ts'

/** Offerings that have the same opinion of one label. */
export interface Profile {
  readonly type: Requirement | undefined
  readonly offering: Requirement | undefined
}

/** The opinions that offerings have of one label. */
export interface KeyProfiles {
  readonly profiles: readonly Profile[]
  /** Profile of each offering. */
  readonly of: Int32Array
}

/** Sets of a template's offerings as bits in price order: bit `i` is offering `i`, so the lowest bit is the cheapest offering. */
export interface OfferingSets {
  /** Names of the capacity types that are offered, and the number of each offering's. */
  readonly capacityTypes: readonly string[]
  readonly capacityTypeOf: Int32Array
  /** The offerings that a node with these requirements may be, without the types of the excluded daemon groups. */
  offeringsOf(
    requirements: Requirements,
    excludedGroups: readonly number[],
    allowed: Uint32Array | undefined,
  ): Uint32Array
  /** What types and offerings say of a label. */
  profilesOf(key: string): KeyProfiles
}

/** A template's offerings with the capacity they leave to pods, in the units of one decision. */
export interface OfferingIndex {
  readonly template: Template
  readonly sets: OfferingSets
  /** For each offering its row of allocatable capacity, daemons taken off: a number into `rows`. */
  readonly vectorOf: Int32Array
  /** Type and row of each offering as one number, so that offerings that differ by price, zone or capacity type share it. */
  readonly pairOf: Int32Array
  readonly pairCount: number
  readonly rows: Float64Array
  /** Numbers of the rows by the sum of their columns, largest first: most are covered by one of the first. */
  readonly largestFirst: Int32Array
  readonly width: number
  /** Whether `total` fits what offering `index` leaves to pods. */
  fits(index: number, total: Float64Array, offset?: number): boolean
}
