import { groupVersion, karpenterKinds, kinds, type Node, type NodeClaim } from '@kerf/apis'
import type { ProviderContext, ProviderEventReason } from '@kerf/provider-contract'
import { type Controller, done, type Metrics, type Outcome, retryAfter, source } from '@kerf/runtime'
import { claimEnding } from './claim-ending.ts'
import type { ClaimIndex } from './claim-index.ts'

/** How long to wait before checking a node again whose NodeClaim is still unknown. In the meantime, the controller handles other nodes. */
const NO_CLAIM_AGAIN = 5_000

/** The dependencies that every interruption controller has. */
export interface InterruptionDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'events' | 'log'>
  readonly metrics: Metrics
  readonly claims: Pick<ClaimIndex, 'claimsOf'>
  /** Returns the id of an instance in the index of NodeClaims, or undefined if the provider ID has a different form. */
  readonly instanceId: (providerID: string) => string | undefined
}

/** How a cloud announces on a Node that it will reclaim the instance. */
export interface NodeInterruption {
  isInterrupted(node: Node): boolean
  /** Marks the offering of the node as unavailable if the cloud needs the capacity itself. */
  markOffering(node: Node): void
  /** The value of the label `reason` in the metric of disrupted NodeClaims. */
  readonly cause: string
  /** The reason of the Events about the Node and the NodeClaim. */
  readonly event: ProviderEventReason
  /** Returns the message of the Events. */
  message(node: Node): string
}

/** Returns a controller that deletes the NodeClaim of an instance when its Node announces that the cloud will reclaim the instance. */
export const nodeInterruption = (
  { context: { client, informers, events, log }, metrics, claims, instanceId }: InterruptionDeps,
  { isInterrupted, markOffering, cause, event, message }: NodeInterruption,
): Controller => {
  const nodes = informers.of(kinds.Node)
  const end = claimEnding({ client, metrics })

  const report = (node: Node, claim: NodeClaim): void => {
    const about = [
      { ...node, apiVersion: groupVersion(kinds.Node), kind: 'Node' },
      { ...claim, apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
    ]
    for (const object of about)
      events.publish({
        ...{ object, type: 'Warning', reason: event, message: message(node) },
        dedupeValues: [claim.metadata.uid ?? '', object.kind],
      })
  }

  return {
    name: 'interruption',
    sources: [source(nodes, ({ after }) => (after !== undefined && isInterrupted(after) ? [after.metadata.name] : []))],
    concurrency: 10,
    reconcile: async (name, signal): Promise<Outcome> => {
      const node = nodes.get(name)
      if (node === undefined || !isInterrupted(node)) return done()
      markOffering(node)
      const [claim] = claims.claimsOf(instanceId(node.spec.providerID ?? '') ?? '')
      if (claim === undefined) {
        log.info('an interrupted node has no NodeClaim yet', { Node: { name } })
        return retryAfter(NO_CLAIM_AGAIN)
      }
      if (claim.metadata.deletionTimestamp !== undefined) return done()
      if (await end(claim, cause, signal)) report(node, claim)
      return done()
    },
  }
}
