import type { NodeClaim } from '@kerf/apis'

/**
 * What joins a NodeClaim to its Node: the provider ID. A claim whose instance has none yet, but whose capacity is promised, has a
 * key of its own, which no provider ID looks like. `''` for a claim that has promised nothing.
 */
export const joinKeyOf = ({ metadata, status }: NodeClaim): string => {
  const providerID = status?.providerID ?? ''
  if (providerID !== '') return providerID
  return Object.keys(status?.capacity ?? {}).length === 0 ? '' : `nodeclaim:${metadata.name}`
}
