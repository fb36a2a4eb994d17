import {
  annotations,
  capacityTypes,
  formatTime,
  groupVersion,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
} from '@kerf/apis'
import { annotate, type ClaimIndex, claimEnding } from '@kerf/provider-kit'
import { mapLimit } from '@kerf/runtime'
import type { AwsDeps } from '../../aws-deps.ts'
import { type AwsEventReason, awsEvents } from '../../aws-events.ts'
import {
  type InterruptionKind,
  type InterruptionMessage,
  type InterruptionResponse,
  interruptionResponses,
} from '../../interruption/message.ts'
import { awsLabels } from '../../label-names.ts'

const AT_ONCE = 10

/**
 * Responds to interruptions of instances (`providers/aws/docs/spec/aws-controllers.md#interruption`): reports them, marks their offerings
 * as unavailable, and deletes the NodeClaims. A second response to the same interruption has no effect.
 */
export class InterruptionResponder {
  readonly index: ClaimIndex
  readonly #deps: AwsDeps
  readonly #end

  constructor(deps: AwsDeps) {
    this.#deps = deps
    this.index = deps.claims
    this.#end = claimEnding({ client: deps.context.client, metrics: deps.options.metrics })
  }

  /** Responds to the message for every NodeClaim of the affected instances. */
  async respond({ kind, instanceIds }: InterruptionMessage, signal: AbortSignal): Promise<void> {
    const concerned = instanceIds.flatMap((id) => this.index.claimsOf(id).map((claim) => ({ id, claim })))
    await mapLimit(concerned, AT_ONCE, ({ id, claim }) => this.#respondFor(claim, id, kind, signal), signal)
  }

  async #respondFor(claim: NodeClaim, instanceId: string, kind: InterruptionKind, signal: AbortSignal): Promise<void> {
    const { action, event, unavailable } = interruptionResponses[kind]
    this.#markUnavailable(claim, unavailable)
    if (event !== undefined) this.#publish(claim, instanceId, event)
    if (action === 'none' || claim.metadata.deletionTimestamp !== undefined) return
    if (action === 'force') await this.#forceDrain(claim, signal)
    if (!(await this.#end(claim, kind, signal))) return
    this.#deps.context.log.info('deleted nodeclaim because of an interruption', {
      NodeClaim: { name: claim.metadata.name },
      'instance-id': instanceId,
      kind,
    })
    this.#publish(claim, instanceId, {
      type: 'Warning',
      reason: 'TerminatingOnInterruption',
      message: 'its node is drained before the instance is interrupted',
    })
  }

  #publish(
    claim: NodeClaim,
    instanceId: string,
    event: { type: 'Normal' | 'Warning'; reason: AwsEventReason; message: string },
  ): void {
    const claimObject = { ...claim, apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: 'NodeClaim' }
    const nodes = this.index
      .nodesOf(instanceId)
      .map((node) => ({ ...node, apiVersion: groupVersion(kinds.Node), kind: 'Node' }))
    for (const object of [claimObject, ...nodes]) {
      this.#deps.context.events.publish({
        object,
        ...event,
        reason: awsEvents.reason(event.reason),
        dedupeValues: [object.kind, object.metadata.uid ?? object.metadata.name],
      })
    }
  }

  #markUnavailable(claim: NodeClaim, unavailable: InterruptionResponse['unavailable']): void {
    const { insufficient, reservations } = this.#deps
    const own = claim.metadata.labels ?? {}
    if (unavailable === 'spot-offering') {
      const instanceType = own[labels.instanceType]
      const zone = own[labels.zone]
      if (instanceType !== undefined && zone !== undefined)
        insufficient.markOffering({ capacityType: capacityTypes.spot, instanceType, zone }, 'SpotInterrupted')
    }
    const reservation = own[awsLabels.capacityReservationId]
    if (unavailable === 'reservation' && reservation !== undefined) reservations.exhausted(reservation)
  }

  /** Ends the drain immediately, because the hardware has failed and pods on it would never terminate. */
  async #forceDrain(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#deps.context
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    const deadline = { [annotations.terminationTimestamp]: formatTime(clock.now()) }
    await annotate(client, karpenterKinds.NodeClaim, claim.metadata.name, deadline, signal)
  }
}
