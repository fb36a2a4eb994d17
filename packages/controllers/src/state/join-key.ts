import { findCondition, type NodeClaim } from '@kerf/apis'

/** The reason of Launched while the provider creates an instance that has no name yet. */
export const LAUNCH_PENDING = 'LaunchPending'

/** Returns whether the provider is still creating the instance of the claim. This may take a long time, but is not a failure. */
export const isLaunchPending = (claim: NodeClaim): boolean =>
  findCondition(claim, 'Launched')?.reason === LAUNCH_PENDING

/** Returns a join key for a claim without a provider ID. No provider ID has this form. */
export const keyWithoutInstance = ({ metadata }: NodeClaim): string => `nodeclaim:${metadata.name}`

/**
 * Returns the key that joins a NodeClaim to its Node: the provider ID. If the instance has no ID yet but its capacity is
 * known, the claim has a key of its own. Returns `''` for a claim without known capacity.
 */
export const joinKeyOf = (claim: NodeClaim): string => {
  const providerID = claim.status?.providerID ?? ''
  if (providerID !== '') return providerID
  return Object.keys(claim.status?.capacity ?? {}).length === 0 ? '' : keyWithoutInstance(claim)
}
