import type { InstanceView } from '@kerf/provider-contract'

/** Whose an instance is, as far as its tags say it: what is not known is left out, so that nothing counts as named "". */
export const ownerOf = (known: {
  readonly claim?: string | undefined
  readonly uid?: string | undefined
  readonly pool?: string | undefined
}): Pick<InstanceView, 'nodeClaimName' | 'nodeClaimUid' | 'nodePool'> => ({
  ...(known.claim === undefined ? {} : { nodeClaimName: known.claim }),
  ...(known.uid === undefined ? {} : { nodeClaimUid: known.uid }),
  ...(known.pool === undefined ? {} : { nodePool: known.pool }),
})
