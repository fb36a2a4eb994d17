import type { InstanceView } from '@kerf/provider-contract'

/** Returns the owner of an instance according to its tags. Omits unknown fields, so that no field is an empty string. */
export const instanceOwner = (known: {
  readonly claim?: string | undefined
  readonly uid?: string | undefined
  readonly pool?: string | undefined
}): Pick<InstanceView, 'nodeClaimName' | 'nodeClaimUid' | 'nodePool'> => ({
  ...(known.claim === undefined ? {} : { nodeClaimName: known.claim }),
  ...(known.uid === undefined ? {} : { nodeClaimUid: known.uid }),
  ...(known.pool === undefined ? {} : { nodePool: known.pool }),
})
