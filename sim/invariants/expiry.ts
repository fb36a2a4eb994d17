import type { NodeClaim } from '@kerf/apis'
import { millisecondsOf } from './duration.ts'

/** When the claim's time is over, whatever budgets say; never for one that lives for ever. */
export const expiryOf = ({ metadata, spec }: NodeClaim): number =>
  Date.parse(metadata.creationTimestamp ?? '') + (millisecondsOf(spec.expireAfter) ?? Number.POSITIVE_INFINITY)
