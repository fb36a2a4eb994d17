import { type NodeClaim, tryParseDuration } from '@kerf/apis'

/** When the claim's time is over, whatever budgets say; never for one that lives for ever. */
export const expiryOf = ({ metadata, spec }: NodeClaim): number => {
  const most = spec.expireAfter === 'Never' ? undefined : tryParseDuration(spec.expireAfter ?? '')
  return most === undefined ? Number.POSITIVE_INFINITY : Date.parse(metadata.creationTimestamp ?? '') + most
}
