import { karpenterKinds, kinds, type Milliseconds, type Node, type NodeClaim } from '@kerf/apis'
import { DeleteError, findError, isNodeClaimNotFound } from '@kerf/provider-contract'
import { isNotFound } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import type { Deps } from '../../deps.ts'
import { eventObject } from '../../event-object.ts'
import { withCondition } from '../../nodeclaim/claim-changes.ts'

/** How often Kerf asks the provider whether the instance is gone. */
export const INSTANCE_POLL: Milliseconds = 5_000
/** How often Kerf repeats the termination request while the cloud refuses it until a user acts. */
const REFUSED_POLL: Milliseconds = 60_000

/** The result of a request to terminate a claim's instance. If `wait` is absent, the instance is gone. */
export interface InstanceEnding {
  readonly claim: NodeClaim
  readonly wait?: Milliseconds
}

/**
 * Requests the termination of the claim's instance, and writes the result to the InstanceTerminating condition. If the cloud refuses the
 * termination and only a user can resolve this, reports the refusal on the claim and its Node, and repeats the request every minute. Throws
 * other errors. Writes no condition if the claim has no provider ID and the provider finds no instance for the claim.
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
      // To callers, a 404 means that an object is missing in the API server. Therefore a 404 of the provider is wrapped.
      if (refusal === undefined && isNotFound(error))
        throw controllerErrors.InstanceNotEnded({ claim: claim.metadata.name }, { cause: error })
      if (refusal === undefined) throw error
      const { reason, conditionMessage: message } = refusal
      log.error('the instance of a nodeclaim cannot be terminated', {
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
          message: `Failed to terminate the instance, ${message}`,
          dedupeValues: [claim.metadata.uid ?? '', object.kind ?? '', reason],
        })
      const change = { type: 'InstanceTerminating', status: 'False', reason, message } as const
      return { claim: withCondition(claim, change, clock.now()), wait: REFUSED_POLL }
    }
  }
