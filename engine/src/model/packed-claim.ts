import type { ConstraintsId } from './ids.ts'
import type { BatchPod } from './pod-group.ts'

/** A claim as packing left it. */
export interface PackedClaim {
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly pods: readonly BatchPod[]
  /** Reservations it holds. */
  readonly reservations: ReadonlySet<string> | undefined
  /** Types that it has to be written with at the least; `undefined` where no limit of its pool counts. */
  readonly held: readonly number[] | undefined
}
