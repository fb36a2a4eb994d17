import type { Node } from '@kerf/apis'
import { claimUidOf } from '@kerf/provider-simulated'
import type { CloudInstance } from '@kerf/sandbox'

/** An instance that costs money, from the cloud's point of view. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
  /** In the clock's monotonic time. Only some clouds report it. */
  readonly launchedAt?: number
  /**
   * Two processes launched for the same claims. The cloud did not list the first instance yet when the second process
   * launched.
   */
  readonly isBlind?: boolean
}

/** The annotation of a Node on the KWOK cloud with the time at which its instance began to terminate. */
export const TERMINATING = 'karpenter.kwok.sh/terminating-since'
const CLAIM_UID = 'karpenter.kwok.sh/nodeclaim-uid'

export const liveInstance = (instance: CloudInstance): LiveInstance => ({
  providerID: instance.providerID,
  claimUid: claimUidOf(instance) ?? '',
})

/** Returns the running instances of the KWOK cloud: Nodes that are not marked as terminating. */
export const kwokInstances = (nodes: readonly Node[]): readonly LiveInstance[] =>
  nodes.flatMap(({ spec, metadata }) => {
    const claimUid = metadata.annotations?.[CLAIM_UID]
    return claimUid === undefined || metadata.annotations?.[TERMINATING] !== undefined
      ? []
      : [{ providerID: spec.providerID ?? '', claimUid }]
  })
