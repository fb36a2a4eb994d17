import type { Node } from '@kerf/apis'
import { claimUidOf } from '@kerf/provider-simulated'
import type { CloudInstance } from '@kerf/sandbox'

/** A machine that costs money, as the cloud itself knows it. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
  /** In the clock's monotonic time, where the cloud says it. */
  readonly launchedAt?: number
  /** Two processes launched for the same claims, the later one when the cloud did not tell yet of what the earlier had. */
  readonly isBlind?: boolean
}

/** Since when a machine of the kwok cloud ends: an annotation of its Node. */
export const TERMINATING = 'karpenter.kwok.sh/terminating-since'
const CLAIM_UID = 'karpenter.kwok.sh/nodeclaim-uid'

export const liveInstance = (instance: CloudInstance): LiveInstance => ({
  providerID: instance.providerID,
  claimUid: claimUidOf(instance) ?? '',
})

/** Machines of the kwok cloud that run: Nodes that are not marked as ending. */
export const kwokInstances = (nodes: readonly Node[]): readonly LiveInstance[] =>
  nodes.flatMap(({ spec, metadata }) => {
    const claimUid = metadata.annotations?.[CLAIM_UID]
    return claimUid === undefined || metadata.annotations?.[TERMINATING] !== undefined
      ? []
      : [{ providerID: spec.providerID ?? '', claimUid }]
  })
