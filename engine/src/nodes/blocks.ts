import { floatAt } from '../column.ts'

/** Nodes per block: what is free at most in a block is looked at before its nodes. */
export const BLOCK_SHIFT = 4
/** Blocks per region, which is looked at before its blocks. */
export const REGION_SHIFT = 4

/** What is free on nodes, as rows of one width. */
export interface FreeAmounts {
  readonly width: number
  readonly blockCount: number
  readonly free: Float64Array
  /** Largest free amount in each block, by resource. */
  readonly blockFree: Float64Array
  /** The same for each region. Not lowered while pods are placed. */
  readonly regionFree: Float64Array
}

/** Nodes that requirements and taints let pods of a variant on, in rank order. */
export interface AdmittedNodes {
  readonly nodes: Int32Array
  /** Place in `nodes` where each block begins, and one more for the end. */
  readonly blocks: Int32Array
}

/** Whether a row of amounts fits into the row of free ones that begins at `start`. */
export const fits = (row: Float64Array, free: Float64Array, start: number): boolean => {
  for (let column = 0; column < row.length; column++)
    if (floatAt(row, column) > floatAt(free, start + column, 'free amounts of nodes')) return false
  return true
}
