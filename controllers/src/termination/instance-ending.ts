import { karpenterKinds, kinds, type Milliseconds, type Node, type NodeClaim } from '@kerf/apis'
import { DeleteError, findError, isNodeClaimNotFound } from '@kerf/provider-contract'
import { isNotFound } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { withCondition } from '../node-claims/claim-changes.ts'

/** How often the provider is asked whether the instance is gone. */
export const INSTANCE_POLL: Milliseconds = 5_000
/** How often the end of an instance is ordered that the cloud refuses to end until somebody acts. */
const REFUSED_POLL: Milliseconds = 60_000

/** What became of an order to end a claim's instance; without a wait it is gone. */
export interface InstanceEnding {
  readonly claim: NodeClaim
  readonly wait?: Milliseconds
}

/**
 * Orders the end of a claim's instance and says in its condition InstanceTerminating what came of it. A refusal that
 * somebody has to lift is reported on the claim and its Node, and the order is repeated every minute; other failures are thrown.
 * A claim without provider ID for which the provider holds nothing says nothing about an instance.
 */
export const instanceEnding =
  ({ provider, clock, events, log }: Pick<Deps, 'provider' | 'clock' | 'events' | 'log'>) =>
  async (claim: NodeClaim, node: Node | undefined, signal: AbortSignal): Promise<InstanceEnding> => {
    const marked = (): NodeClaim => withCondition(claim, { type: 'InstanceTerminating', status: 'True' }, clock.now())
    const isNamed = (claim.status?.providerID ?? '') !== ''
    try {
      await provider.delete(claim, signal)
      return { claim: marked(), wait: INSTANCE_POLL }
    } catch (error) {
      if (isNodeClaimNotFound(error)) return { claim: isNamed ? marked() : claim }
      const refusal = findError(error, DeleteError)
      // Callers take a 404 for one of the API server's (an object is gone), so one of the provider's own calls is wrapped.
      if (refusal === undefined && isNotFound(error))
        throw new Error(`ending the instance of nodeclaim ${claim.metadata.name} failed`, { cause: error })
      if (refusal === undefined) throw error
      const { reason, conditionMessage: message } = refusal
      log.error('the instance of a nodeclaim cannot be ended', {
        NodeClaim: { name: claim.metadata.name },
        'provider-id': claim.status?.providerID,
        error,
      })
      const objects = [
        eventObject(karpenterKinds.NodeClaim, claim),
        ...(node === undefined ? [] : [eventObject(kinds.Node, node)]),
      ]
      for (const object of objects)
        events.publish({
          object,
          type: 'Warning',
          reason: 'FailedTermination',
          message: `Failed to end the instance, ${message}`,
          dedupeValues: [claim.metadata.uid ?? '', object.kind ?? '', reason],
        })
      const change = { type: 'InstanceTerminating', status: 'False', reason, message } as const
      return { claim: withCondition(claim, change, clock.now()), wait: REFUSED_POLL }
    }
  }
