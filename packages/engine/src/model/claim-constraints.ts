import type { Requirements } from '../requirements/requirements.ts'
import type { ConstraintsId } from './ids.ts'
import type { OfferingIndex } from './offering-index.ts'

/** The value of `ConstraintsId` for constraints that allow no offering. */
export const NO_CONSTRAINTS = -1 as ConstraintsId
/** The values of a topology label that the constraints still allow, as domain numbers. */
export interface OpenDomains {
  /** The domains in ascending order, which is the alphabetical order of their names. */
  readonly domains: Int32Array
  /** The same domains, ordered by the price of their cheapest offering. */
  readonly byPrice: Int32Array
  /** Whether the node may lack the label. */
  readonly mayBeAbsent: boolean
}

/**
 * The offerings and requirements that remain possible for a claim: those of a template, narrowed by the requirements of the claim's pods.
 * Constraints are interned: claims with equal requirements share one object, and everything that depends only on the requirements is
 * computed once.
 */
export interface ClaimConstraints {
  readonly id: ConstraintsId
  readonly index: OfferingIndex
  readonly requirements: Requirements
  readonly excludedGroups: readonly number[]
  readonly allowed: number
  /** The remaining offerings, as bits in price order. */
  readonly offerings: Uint32Array
  /**
   * The rows of allocatable capacity that no other row dominates (the Pareto front). A total fits some offering if and only if it fits one
   * of these rows.
   */
  readonly front: Float64Array
  readonly frontSize: number
  /** The largest allocatable amount of each resource. The amounts may belong to different offerings. */
  readonly largest: Float64Array
  readonly hasMinValues: boolean
  readonly domains: Map<number, OpenDomains>
}
