import { annotations, type NodeClaim } from '@kerf/apis'

/**
 * Returns the owners that a NodeClaim was launched for, as `Kind/namespace/name`, if a plan included pods that they still had to
 * create (`docs/spec/expected-pods.md#what-a-claim-says`). Empty for every other NodeClaim.
 */
export const launchedFor = ({ metadata }: NodeClaim): readonly string[] =>
  metadata.annotations?.[annotations.launchedFor]?.split(',').filter((owner) => owner !== '') ?? []
