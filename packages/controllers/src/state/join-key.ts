import { findCondition, type NodeClaim } from '@kerf/apis'

/** The reason of the Launched condition while the provider is creating an instance that has no provider ID yet. */
export const LAUNCH_PENDING = 'LaunchPending'

/** Returns whether the provider is still creating the claim's instance. This may take long and is not a failure. */
export const isLaunchPending = (claim: NodeClaim): boolean =>
  findCondition(claim, 'Launched')?.reason === LAUNCH_PENDING

/** Returns a join key for a claim without a provider ID. It differs from every provider ID. */
export const keyWithoutInstance = ({ metadata }: NodeClaim): string => `nodeclaim:${metadata.name}`

/**
 * Returns the key that joins a NodeClaim to its Node. Usually, this is the provider ID. If the instance has no provider ID yet but its
 * capacity is known, the key is unique to this claim. If the capacity is also unknown, the key is `''`.
 */
export const claimJoinKey = (claim: NodeClaim): string => {
  const providerID = claim.status?.providerID ?? ''
  if (providerID !== '') return providerID
  return Object.keys(claim.status?.capacity ?? {}).length === 0 ? '' : keyWithoutInstance(claim)
}
