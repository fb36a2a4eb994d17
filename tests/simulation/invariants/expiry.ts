import type { NodeClaim } from '@kerf/apis'
import { millisecondsOf } from './duration.ts'

/** Returns the time at which the claim expires; Infinity if it never does. */
export const expiryOf = ({ metadata, spec }: NodeClaim): number =>
  Date.parse(metadata.creationTimestamp ?? '') + (millisecondsOf(spec.expireAfter) ?? Number.POSITIVE_INFINITY)
