import {
  annotations,
  apiVersionOf,
  awsLabels,
  capacityTypes,
  formatTime,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
} from '@kerf/apis'
import { isNotFound, mapLimit } from '@kerf/runtime'
import type { AwsEventReason } from '../../aws-events.ts'
import type { AwsParts } from '../../aws-parts.ts'
import { ClaimIndex } from '../../instances/claim-index.ts'
import { type InterruptionKind, type InterruptionMessage, interruptionResponses } from '../../interruption/message.ts'
import { claimEnding } from '../claim-ending.ts'

const AT_ONCE = 10

/**
 * What one kind of news does to the claims of an instance (`docs/spec/aws-controllers.md#interruption`). Doing it twice
 * does nothing more.
 */
export type Responder = (message: InterruptionMessage, signal: AbortSignal) => Promise<void>

export const interruptionResponder = (parts: AwsParts): Responder & { readonly index: ClaimIndex } => {
  const { context, insufficient, reservations, options } = parts
  const { client, clock, events, log } = context
  const index = new ClaimIndex(context.informers)
  const end = claimEnding({ client, metrics: options.metrics })

  const publish = (
    claim: NodeClaim,
    instanceId: string,
    event: { type: 'Normal' | 'Warning'; reason: AwsEventReason; message: string },
  ): void => {
    const claimObject = { ...claim, apiVersion: apiVersionOf(karpenterKinds.NodeClaim), kind: 'NodeClaim' }
    const nodes = index
      .nodesOf(instanceId)
      .map((node) => ({ ...node, apiVersion: apiVersionOf(kinds.Node), kind: 'Node' }))
    for (const object of [claimObject, ...nodes]) {
      events.publish({
        object,
        ...event,
        dedupeValues: [object.kind, object.metadata.uid ?? object.metadata.name],
      })
    }
  }

  const mark = (claim: NodeClaim, marks: 'spot-offering' | 'reservation' | undefined): void => {
    const own = claim.metadata.labels ?? {}
    if (marks === 'spot-offering') {
      const instanceType = own[labels.instanceType]
      const zone = own[labels.zone]
      if (instanceType !== undefined && zone !== undefined)
        insufficient.markOffering({ capacityType: capacityTypes.spot, instanceType, zone }, 'SpotInterrupted')
    }
    const reservation = own[awsLabels.capacityReservationId]
    if (marks === 'reservation' && reservation !== undefined) reservations.exhausted(reservation)
  }

  /** Draining is over at once: the hardware is broken, and its pods would never end. */
  const forceDrain = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: formatTime(clock.now()) } } }
    try {
      await client.patch(karpenterKinds.NodeClaim, { name: claim.metadata.name }, { type: 'merge', body }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  const respond = async (
    claim: NodeClaim,
    instanceId: string,
    kind: InterruptionKind,
    signal: AbortSignal,
  ): Promise<void> => {
    const { action, event, marks } = interruptionResponses[kind]
    mark(claim, marks)
    if (event !== undefined) publish(claim, instanceId, event)
    if (action === 'none' || claim.metadata.deletionTimestamp !== undefined) return
    if (action === 'force') await forceDrain(claim, signal)
    if (!(await end(claim, kind, signal))) return
    log.info('deleted nodeclaim because of an interruption', {
      NodeClaim: { name: claim.metadata.name },
      'instance-id': instanceId,
      kind,
    })
    publish(claim, instanceId, {
      type: 'Warning',
      reason: 'TerminatingOnInterruption',
      message: 'its node is drained before the instance is interrupted',
    })
  }

  const all: Responder = async ({ kind, instanceIds }, signal) => {
    const concerned = instanceIds.flatMap((id) => index.claimsOf(id).map((claim) => ({ id, claim })))
    await mapLimit(concerned, AT_ONCE, ({ id, claim }) => respond(claim, id, kind, signal), signal)
  }
  return Object.assign(all, { index })
}
