import { annotations, type NodeClaim } from '@kerf/apis'

/**
 * Returns the owners of the expected pods for which Kerf launched a NodeClaim, as `Kind/namespace/name`
 * (`docs/spec/expected-pods.md#what-a-claim-says`). Empty if Kerf did not launch the NodeClaim for expected pods.
 */
export const launchedFor = ({ metadata }: NodeClaim): readonly string[] =>
  metadata.annotations?.[annotations.launchedFor]?.split(',').filter((owner) => owner !== '') ?? []
