import type { BatchPod } from './equivalence-group.ts'
import type { ConstraintsId } from './ids.ts'

/** A claim as the first pass leaves it. */
export interface PackedClaim {
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly pods: readonly BatchPod[]
  /** The reservations that the claim holds. */
  readonly reservations: ReadonlySet<string> | undefined
  /** The types that the claim must at least list; `undefined` if no limit of its pool applies. */
  readonly held: readonly number[] | undefined
}
