import type { FieldRule } from './fate.ts'

const NEEDED = 'a NodePool has the nodes that its pods need'

/** What becomes of the largest number of nodes of a node group. */
export const largestSize: FieldRule = { to: 'NodePool spec.limits.nodes' }

/** What becomes of the number of nodes that a node group should have now. */
export const desiredSize: FieldRule = { because: NEEDED }

/** What becomes of the least number of nodes of a node group. A minimum of 0 says nothing. */
export const leastSize = (value: unknown): FieldRule | undefined =>
  value === 0 ? undefined : { because: `${NEEDED}; where the minimum was room kept free, write a CapacityBuffer` }
