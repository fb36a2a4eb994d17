import type { Node } from '@kerf/apis'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'

/** The annotation of a Node with the time at which its instance began to terminate. */
export const TERMINATING = 'karpenter.kwok.sh/terminating-since'
const CLAIM_UID = 'karpenter.kwok.sh/nodeclaim-uid'

/** Returns the running instances: Nodes that are not marked as terminating. */
export const kwokInstances = (nodes: readonly Node[]): readonly LiveInstance[] =>
  nodes.flatMap(({ spec, metadata }) => {
    const claimUid = metadata.annotations?.[CLAIM_UID]
    return claimUid === undefined || metadata.annotations?.[TERMINATING] !== undefined
      ? []
      : [{ providerID: spec.providerID ?? '', claimUid }]
  })
