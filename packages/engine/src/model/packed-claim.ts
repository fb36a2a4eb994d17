import type { BatchPod } from './equivalence-group.ts'
import type { ConstraintsId } from './ids.ts'

/** A claim after the first pass. */
export interface PackedClaim {
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly pods: readonly BatchPod[]
  /** The reservations that the claim holds. */
  readonly reservations: ReadonlySet<string> | undefined
  /** The smallest set of instance types that the claim must list; `undefined` if no limit of its pool matters. */
  readonly held: readonly number[] | undefined
}
