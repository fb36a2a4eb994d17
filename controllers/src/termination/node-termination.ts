import {
  finalizers,
  findCondition,
  isConditionTrue,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  nodeClassLabel,
  type Taint,
  taints,
  timeOf,
} from '@kerf/apis'
import { isNodeClaimNotFound, measuredProvider } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  type Milliseconds,
  type Outcome,
  rateForConcurrency,
  retry,
  retryAfter,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { withCondition, writeClaim } from '../node-claims/claim-changes.ts'
import type { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { read } from '../read.ts'
import { podsToDrain } from './drain-tiers.ts'
import { awaitingVolumeDetachment, failedDraining, terminationGracePeriodExpiring } from './events.ts'
import type { EvictionQueue } from './eviction-queue.ts'
import { instanceEnding } from './instance-ending.ts'
import { reportedDeadlineOf } from './reported-deadline.ts'
import { TerminationMetrics } from './termination-metrics.ts'
import { VolumeDetachment } from './volume-detachment.ts'

const POLL: Milliseconds = 1_000
/** Pods that were bound just before the taint came are seen by then. */
const MINIMUM_DRAIN: Milliseconds = 5_000

/** A node on its way out, with the claim when there is exactly one. */
interface Leaving {
  readonly node: Node
  readonly claim: NodeClaim | undefined
  readonly deadline: Milliseconds | undefined
}

/** What a stage made of the claim, and how long to wait before looking again; without a wait the stage is over. */
interface StageResult {
  readonly claim: NodeClaim | undefined
  readonly wait?: Milliseconds
}

/**
 * `node.termination`: taints a deleted Node, drains it, waits for its volumes, ends its instance, and lets it go
 * (`docs/spec/termination.md#node-finalizer`).
 */
export const nodeTermination = (deps: Deps, links: ClaimNodes, queue: EvictionQueue): Controller => {
  const { client, clock, events, informers, settings } = deps
  const name = 'node.termination'
  const provider = measuredProvider(deps.provider, { ...deps, controller: name })
  const log = deps.log.child(name)
  const metrics = new TerminationMetrics(deps.metrics, clock)
  const volumes = new VolumeDetachment(informers)
  const ownershipLabels = provider.nodeClasses.map(nodeClassLabel)
  const workers = concurrency(settings, 100, 5000)

  const isLeaving = (node: Node): boolean =>
    node.metadata.deletionTimestamp !== undefined &&
    node.metadata.finalizers?.includes(finalizers.termination) === true &&
    ownershipLabels.some((key) => node.metadata.labels?.[key] !== undefined)

  /** A claim that the mirror does not show is looked for by the Node's owner, before its instance is left alone. */
  const claimOf = async (node: Node, signal: AbortSignal): Promise<NodeClaim | undefined> => {
    const mirrored = links.claimOf(node)
    const owner = node.metadata.ownerReferences?.find(({ kind }) => kind === karpenterKinds.NodeClaim.kind)
    if (mirrored !== undefined || owner === undefined || (node.spec.providerID ?? '') === '') return mirrored
    if (links.claims.get(owner.name) !== undefined) return undefined
    try {
      const claim = await client.get(karpenterKinds.NodeClaim, { name: owner.name }, { signal })
      return claim.metadata.uid === owner.uid && claim.status?.providerID === node.spec.providerID ? claim : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  const deleteClaim = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    const uid = claim.metadata.uid
    try {
      await client.delete(
        karpenterKinds.NodeClaim,
        { name: claim.metadata.name ?? '' },
        { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** A node that is not ready and whose instance is gone has nothing left to drain. */
  const hasLostInstance = async (node: Node, signal: AbortSignal): Promise<boolean> => {
    const providerID = node.spec.providerID ?? ''
    if (isConditionTrue(node, 'Ready') || providerID === '') return false
    try {
      await provider.get(providerID, signal)
      return false
    } catch (error) {
      if (isNodeClaimNotFound(error)) return true
      throw error
    }
  }

  /** Keeps new pods and traffic away. A taint of the same key with another effect is replaced. */
  const cordon = async (node: Node, signal: AbortSignal): Promise<Node> => {
    const present = node.spec.taints ?? []
    const others = present.filter(({ key }) => key !== taints.disrupted.key)
    const isTainted =
      present.length === others.length + 1 && present.some((taint) => isSameTaint(taint, taints.disrupted))
    const isExcluded = node.metadata.labels?.[labels.excludeFromLoadBalancers] !== undefined
    if (isTainted && isExcluded) return node
    const wanted: readonly Taint[] = isTainted ? present : [...others, taints.disrupted]
    const body = {
      metadata: {
        resourceVersion: node.metadata.resourceVersion,
        labels: { [labels.excludeFromLoadBalancers]: 'karpenter' },
      },
      spec: { taints: wanted },
    }
    const ref = { name: node.metadata.name ?? '' }
    const cordoned = await client.patch(kinds.Node, ref, { type: 'merge', body }, { signal })
    if (!isTainted) {
      log.info('tainted node', {
        Node: ref,
        'taint.Key': taints.disrupted.key,
        'taint.Value': '',
        'taint.Effect': taints.disrupted.effect,
      })
    }
    return cordoned
  }

  const drain = async ({ node, claim, deadline }: Leaving, signal: AbortSignal): Promise<StageResult> => {
    const now = clock.now()
    const draining =
      claim === undefined || findCondition(claim, 'Drained') !== undefined
        ? claim
        : withCondition(claim, { type: 'Drained', status: 'Unknown', reason: 'Draining', message: 'Draining' }, now)
    const nodeName = node.metadata.name ?? ''
    const { forced, graceful, waiting } = podsToDrain(links.podsOn(nodeName), deadline, now)
    if (forced.length + graceful.length > 0) {
      queue.add([...forced, ...graceful], deadline)
      events.publish(failedDraining(node, `${waiting} pods are waiting to be evicted`, 'waiting'))
      return { claim: draining, wait: POLL }
    }
    const drained = draining === undefined ? undefined : findCondition(draining, 'Drained')
    if (drained?.status === 'True') return { claim: draining }
    const since = timeOf(drained?.lastTransitionTime)
    if (since !== undefined && now - since < MINIMUM_DRAIN) return { claim: draining, wait: POLL }
    // The mirror may be behind, and what is not drained now is lost: the API server has the last word.
    const live = await client.list(kinds.Pod, { fieldSelector: `spec.nodeName=${nodeName}`, signal })
    const left = podsToDrain(live.items, deadline, clock.now())
    if (left.waiting > 0) return { claim: draining, wait: POLL }
    if (draining === undefined) return { claim: undefined }
    metrics.nodeDrained(node)
    return { claim: withCondition(draining, { type: 'Drained', status: 'True' }, clock.now()) }
  }

  const detach = ({ node, claim, deadline }: Leaving): StageResult => {
    const now = clock.now()
    const pending = volumes.pending(node, links.podsOn(node.metadata.name ?? ''), now)
    const set = (status: 'True' | 'False' | 'Unknown', reason?: string): NodeClaim | undefined =>
      claim &&
      withCondition(
        claim,
        { type: 'VolumesDetached', status, ...(reason === undefined ? {} : { reason, message: reason }) },
        now,
      )
    if (pending.length === 0) return { claim: set('True') }
    if (deadline !== undefined && now > deadline) return { claim: set('False', 'TerminationGracePeriodElapsed') }
    events.publish(awaitingVolumeDetachment(node, pending))
    return { claim: set('Unknown', 'AwaitingVolumeDetachment'), wait: POLL }
  }

  const end = instanceEnding({ ...deps, provider, log })
  const endInstance = async ({ node, claim }: Leaving, signal: AbortSignal): Promise<StageResult> =>
    claim === undefined ? { claim } : await end(claim, node, signal)

  const release = async (node: Node, claim: NodeClaim | undefined, signal: AbortSignal): Promise<Outcome> => {
    const ref = { name: node.metadata.name ?? '' }
    const others = (node.metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.termination)
    const body = { metadata: { resourceVersion: node.metadata.resourceVersion, finalizers: others } }
    await client.patch(kinds.Node, ref, { type: 'merge', body }, { signal })
    log.info('deleted node', {
      Node: ref,
      ...(claim === undefined ? {} : { NodeClaim: { name: claim.metadata.name } }),
      'provider-id': node.spec.providerID,
    })
    metrics.nodeTerminated(node)
    return done()
  }

  /** Runs the stages in order until one has to wait. The claim's conditions are written also when a stage fails. */
  const pass = async (leaving: Leaving, signal: AbortSignal): Promise<StageResult> => {
    const stages = [drain, async (current: Leaving) => detach(current), endInstance]
    let result: StageResult = { claim: leaving.claim }
    try {
      for (const stage of stages) {
        result = await stage({ ...leaving, claim: result.claim }, signal)
        if (result.wait !== undefined) break
      }
    } finally {
      if (leaving.claim !== undefined && result.claim !== undefined && !signal.aborted) {
        await writeClaim(client, leaving.claim, result.claim, signal)
      }
    }
    return result
  }

  const terminate = async (seen: Node, signal: AbortSignal): Promise<Outcome> => {
    const claim = await claimOf(seen, signal)
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) await deleteClaim(claim, signal)
    if (await hasLostInstance(seen, signal)) return await release(seen, claim, signal)
    const deadline = claim === undefined ? undefined : reportedDeadlineOf(claim, seen, events)
    if (deadline !== undefined) events.publish(terminationGracePeriodExpiring({ node: seen }, deadline))
    const node = await cordon(seen, signal)
    const result = await pass({ node, claim, deadline }, signal)
    return result.wait === undefined ? await release(node, claim, signal) : retryAfter(result.wait)
  }

  return {
    name,
    reconciles: kinds.Node,
    sources: [
      ...links.nodeSources(),
      read(informers, kinds.Pod),
      read(informers, kinds.VolumeAttachment),
      read(informers, kinds.PersistentVolumeClaim),
    ],
    concurrency: workers,
    backoff: { base: 100, max: 10_000 },
    rate: rateForConcurrency(10, 100, workers),
    reconcile: async (key, signal) => {
      const node = links.nodes.get(key)
      if (node === undefined || !isLeaving(node)) return done()
      try {
        return await terminate(node, signal)
      } catch (error) {
        // Read something stale, or the Node went meanwhile.
        if (isConflict(error) || isNotFound(error)) return retry()
        throw error
      }
    },
  }
}
