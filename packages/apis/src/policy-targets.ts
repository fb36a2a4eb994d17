import { matchesLabelSelector } from './label-selector.ts'
import type { NodePool } from './resources/node-pool.ts'
import type { NodePoolPolicy } from './resources/node-pool-policy.ts'

/** Returns whether a NodePoolPolicy targets a NodePool. If several policies target it, a different policy may apply. */
export const targetsPool = ({ spec }: NodePoolPolicy, { metadata }: NodePool): boolean =>
  spec.targetRefs === undefined
    ? matchesLabelSelector(spec.targetSelector, metadata.labels)
    : spec.targetRefs.some(({ name }) => name === metadata.name)
