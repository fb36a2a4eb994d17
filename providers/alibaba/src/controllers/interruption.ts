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
import { alibabaEvents } from '../alibaba-events.ts'

/** The condition that ACK's node problem detector sets when ECS is about to reclaim a spot instance. */
const CONDITION = 'InstanceExpired'
const NO_CLAIM_AGAIN = 5_000

export interface InterruptionDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'events' | 'log'>
  readonly metrics: Metrics
  readonly claims: Pick<ClaimIndex, 'claimsOf'>
  readonly unavailable: Pick<UnavailableOfferings, 'mark'>
  readonly instanceId: (providerID: string) => string | undefined
}

const isInterrupted = (node: Node): boolean =>
  node.metadata.labels?.[labels.capacityType] === capacityTypes.spot &&
  findCondition(node, CONDITION)?.status === 'True'

/**
 * Deletes the NodeClaims of spot instances that ECS is about to reclaim, and marks their offerings as unavailable
 * (`providers/alibaba/docs/spec/alibaba.md#life-after-launch`). In clusters without ACK's node problem detector, nothing announces the
 * reclaim.
 */
export const interruption = ({
  context: { client, informers, events, log },
  metrics,
  claims,
  unavailable,
  instanceId,
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
        reason: alibabaEvents.reason('TerminatingOnInterruption'),
        message: `ECS takes the instance of node ${node.metadata.name} back`,
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
      const { [labels.instanceType]: instanceType = '', [labels.zone]: zone = '' } = node.metadata.labels ?? {}
      const reason = findCondition(node, CONDITION)?.reason ?? CONDITION
      if (instanceType !== '' && zone !== '')
        unavailable.mark({ instanceType, zone, capacityType: capacityTypes.spot }, reason)
      const [claim] = claims.claimsOf(instanceId(node.spec.providerID ?? '') ?? '')
      if (claim === undefined) {
        log.info('an interrupted node has no NodeClaim yet', { Node: { name } })
        return retryAfter(NO_CLAIM_AGAIN)
      }
      if (claim.metadata.deletionTimestamp !== undefined) return done()
      if (await end(claim, 'spot_interrupted', signal)) report(node, claim)
      return done()
    },
  }
}
