import type { NodeClaim } from '@kerf/apis'
import { parseMilliseconds } from './duration.ts'

/** Returns the time at which the NodeClaim expires. Returns Infinity if it never does. */
export const claimExpiry = ({ metadata, spec }: NodeClaim): number =>
  Date.parse(metadata.creationTimestamp ?? '') + (parseMilliseconds(spec.expireAfter) ?? Number.POSITIVE_INFINITY)
