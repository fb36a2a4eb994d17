import { findCondition, type NodeClaim } from '@kerf/apis'

/** The reason of Launched while the provider makes an instance that it cannot name yet. */
export const LAUNCH_PENDING = 'LaunchPending'

/** Whether the provider is at work on the claim's instance: it may take long, but it is no failure. */
export const isLaunchPending = (claim: NodeClaim): boolean =>
  findCondition(claim, 'Launched')?.reason === LAUNCH_PENDING

/** What joins a claim that has no provider ID to nothing else: no provider ID looks like it. */
export const keyWithoutInstance = ({ metadata }: NodeClaim): string => `nodeclaim:${metadata.name}`

/**
 * What joins a NodeClaim to its Node: the provider ID. A claim whose instance has none yet, but whose capacity is promised, has a
 * key of its own. `''` for a claim that has promised nothing.
 */
export const joinKeyOf = (claim: NodeClaim): string => {
  const providerID = claim.status?.providerID ?? ''
  if (providerID !== '') return providerID
  return Object.keys(claim.status?.capacity ?? {}).length === 0 ? '' : keyWithoutInstance(claim)
}
