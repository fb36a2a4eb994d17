import type { ConstraintsId } from '../model/ids.ts'
/** The value of `Bin.fixed` for a node without fixed pods (pods that the pass must not move). */
export const NO_FIXED_PODS = -1

/** A node of an improved plan: how many pods of each pod set (interchangeable pods) it has, and its price. */
export interface Bin {
  readonly template: number
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly podSets: readonly number[]
  readonly counts: readonly number[]
  /** The price of the cheapest offering that fits. */
  readonly price: number
  /** The number of the claim in the first plan whose fixed pods are on this node, or `NO_FIXED_PODS`. Fixed pods must not be moved. */
  readonly fixed: number
}

/** Returns the total cost of nodes, including a surcharge for each of them. */
export const binsCost = (bins: readonly Bin[], surcharge: number): number => {
  let sum = 0
  for (const { price } of bins) sum += price + surcharge
  return sum
}
