import type { FieldRule } from './field-conversion.ts'

const NEEDED = 'a NodePool has the nodes that its pods need'

/** What happens to the maximum size of a node group. */
export const largestSize: FieldRule = { to: 'NodePool spec.limits.nodes' }

/** What happens to the desired size of a node group. */
export const desiredSize: FieldRule = { because: NEEDED }

/** Returns what happens to the minimum size of a node group. Undefined for 0, because a minimum of 0 has no effect. */
export const leastSize = (value: unknown): FieldRule | undefined =>
  value === 0 ? undefined : { because: `${NEEDED}; where the minimum was room kept free, write a CapacityBuffer` }
