import type { ConstraintsId } from '../model/ids.ts'
/** `Bin.fixed` of a node without fixed pods. */
export const NO_FIXED_PODS = -1

/** A node of an improved plan: how many pods of each pod set, and what it costs. */
export interface Bin {
  readonly template: number
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly podSets: readonly number[]
  readonly counts: readonly number[]
  /** Cheapest offering that fits. */
  readonly price: number
  /** Number of the claim of the first plan whose fixed pods (those that may not move) it holds, or `NO_FIXED_PODS`. */
  readonly fixed: number
}

/** What nodes cost together, each with a surcharge. */
export const costOf = (bins: readonly Bin[], surcharge: number): number => {
  let sum = 0
  for (const { price } of bins) sum += price + surcharge
  return sum
}
