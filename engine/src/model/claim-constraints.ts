import type { OfferingIndex } from '../model/offering-index.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { ConstraintsId } from './ids.ts'

/** The result of a narrowing that leaves nothing. */
export const NO_CONSTRAINTS = -1 as ConstraintsId
/** Values of a topology label that are still open in a state, as domain numbers. */
export interface OpenDomains {
  /** Ascending, that is alphabetical. */
  readonly domains: Int32Array
  /** The same by the price of the cheapest offering there. */
  readonly byPrice: Int32Array
  /** Whether the node may come without the label. */
  readonly mayBeAbsent: boolean
}

/**
 * What a claim may still become: a template narrowed by the requirements of the pods on it. Interned: claims with equal
 * requirements share one state, and all that follows from requirements alone is worked out once per state.
 */
export interface ClaimConstraints {
  readonly id: ConstraintsId
  readonly index: OfferingIndex
  readonly requirements: Requirements
  readonly excludedGroups: readonly number[]
  readonly allowed: number
  /** Offerings left, as bits in price order. */
  readonly offerings: Uint32Array
  /** Largest rows of allocatable capacity: a total fits some offering exactly if it fits one of these. */
  readonly front: Float64Array
  readonly frontSize: number
  /** Largest allocatable amount of each resource, though perhaps not in one offering. */
  readonly largest: Float64Array
  readonly hasMinValues: boolean
  readonly domains: Map<number, OpenDomains>
}
