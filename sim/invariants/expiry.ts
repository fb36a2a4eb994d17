import type { NodeClaim } from '@kerf/apis'
import { millisecondsOf } from './duration.ts'

/** When the claim expires. Infinity without an expiry. */
export const expiryOf = ({ metadata, spec }: NodeClaim): number =>
  Date.parse(metadata.creationTimestamp ?? '') + (millisecondsOf(spec.expireAfter) ?? Number.POSITIVE_INFINITY)
