import {
  capacityTypes,
  findCondition,
  groupVersion,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
} from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type ClaimIndex, claimEnding, type UnavailableOfferings } from '@kerf/provider-kit'
import { type Controller, done, type Metrics, type Outcome, retryAfter, source } from '@kerf/runtime'
import { gcpEvents } from '../gcp-events.ts'
import { recognisedNodes } from '../recognised-nodes.ts'

/** The Ready condition that the kubelet reports during a graceful shutdown of the node. */
const SHUTDOWN = { reason: 'KubeletNotReady', message: 'node is shutting down' } as const
/** How long to wait before checking a node whose NodeClaim is still unknown again. Meanwhile, the controller handles other nodes. */
const NO_CLAIM_AGAIN = 5_000
/**
 * How long an offering stays unavailable after a preemption. A zone that preempts a spot instance rarely has capacity for another one.
 */
const TAKEN_FOR = 300_000

export interface InterruptionDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'events' | 'log'>
  readonly metrics: Metrics
  readonly claims: Pick<ClaimIndex, 'claimsOf'>
  readonly unavailable: Pick<UnavailableOfferings, 'mark'>
  /** Returns the id of an instance in the index of NodeClaims. */
  readonly instanceIn: (providerID: string) => string | undefined
}

const isOurs = ({ metadata }: Node): boolean => metadata.labels?.[labels.nodePool] !== undefined

/** Returns true if the instance stops: GKE has tainted the Node, or the kubelet reports its shutdown. */
const isInterrupted = (node: Node): boolean => {
  const { spotInterruptionTaints = [] } = recognisedNodes
  const ready = findCondition(node, 'Ready')
  return (
    isOurs(node) &&
    ((node.spec.taints ?? []).some(({ key }) => spotInterruptionTaints.includes(key)) ||
      (ready !== undefined &&
        ready.status !== 'True' &&
        ready.reason === SHUTDOWN.reason &&
        ready.message === SHUTDOWN.message))
  )
}

/**
 * Deletes the NodeClaim of an instance when its Node reports that Compute Engine is stopping the instance. If it is a spot instance, also
 * makes its offering unavailable for a while (`providers/gcp/docs/spec/gcp.md#interruption`). Outside the instance, nothing else
 * announces a preemption.
 */
export const interruption = ({
  context: { client, informers, events, log },
  metrics,
  claims,
  unavailable,
  instanceIn,
}: InterruptionDeps): Controller => {
  const nodes = informers.of(kinds.Node)
  const end = claimEnding({ client, metrics })

  const report = (node: Node, claim: NodeClaim): void => {
    const about = [
      { ...node, apiVersion: groupVersion(kinds.Node), kind: 'Node' },
      { ...claim, apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
    ]
    for (const object of about)
      events.publish({
        object,
        type: 'Warning',
        reason: gcpEvents.reason('TerminatingOnInterruption'),
        message: `Compute Engine stops the instance of node ${node.metadata.name}`,
        dedupeValues: [claim.metadata.uid ?? '', object.kind],
      })
  }

  const mark = ({ metadata }: Node): void => {
    const {
      [labels.instanceType]: instanceType = '',
      [labels.zone]: zone = '',
      [labels.capacityType]: capacityType,
    } = metadata.labels ?? {}
    if (capacityType === capacityTypes.spot && instanceType !== '' && zone !== '')
      unavailable.mark({ instanceType, zone, capacityType }, 'Preempted', TAKEN_FOR)
  }

  return {
    name: 'interruption',
    sources: [source(nodes, ({ after }) => (after !== undefined && isInterrupted(after) ? [after.metadata.name] : []))],
    concurrency: 10,
    reconcile: async (name, signal): Promise<Outcome> => {
      const node = nodes.get(name)
      if (node === undefined || !isInterrupted(node)) return done()
      mark(node)
      const [claim] = claims.claimsOf(instanceIn(node.spec.providerID ?? '') ?? '')
      if (claim === undefined) {
        log.info('an instance that stops has no NodeClaim yet', { Node: { name } })
        return retryAfter(NO_CLAIM_AGAIN)
      }
      if (claim.metadata.deletionTimestamp !== undefined) return done()
      if (await end(claim, 'interruption', signal)) report(node, claim)
      return done()
    },
  }
}
