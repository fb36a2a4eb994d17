import { floatAt } from '../column.ts'

/** The number of nodes per block, as a power of two. The largest free amounts of a block are checked before its nodes. */
export const BLOCK_SHIFT = 4
/** The number of blocks per region, as a power of two. A region is checked before its blocks. */
export const REGION_SHIFT = 4

/** The free capacity of nodes, as rows of equal width. */
export interface FreeAmounts {
  readonly width: number
  readonly blockCount: number
  readonly free: Float64Array
  /** For each block (consecutive nodes) and resource, the largest amount that is free on one of its nodes. */
  readonly blockFree: Float64Array
  /**
   * For each region (consecutive blocks) and resource, an upper bound for the amount that is free on one of its nodes. It is not
   * lowered while pods are placed.
   */
  readonly regionFree: Float64Array
}

/** The nodes whose requirements and taints allow pods of a variant, in rank order. */
export interface AdmittedNodes {
  readonly nodes: Int32Array
  /** The index in `nodes` at which each block starts, plus a last entry for the end. */
  readonly blocks: Int32Array
}

/** Returns whether a row of requests fits the free row that starts at `start`. */
export const fits = (row: Float64Array, free: Float64Array, start: number): boolean => {
  for (let column = 0; column < row.length; column++)
    if (floatAt(row, column) > floatAt(free, start + column, 'free amounts of nodes')) return false
  return true
}
