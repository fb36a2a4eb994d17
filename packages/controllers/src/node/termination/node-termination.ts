import {
  finalizers,
  findCondition,
  isConditionTrue,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  nodeClassLabel,
  ownValue,
  parseTime,
  type Taint,
  taints,
} from '@kerf/apis'
import { isNodeClaimNotFound, measuredProvider } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  type Outcome,
  rateForConcurrency,
  retry,
  retryAfter,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { withCondition, writeClaim } from '../../nodeclaim/claim-changes.ts'
import type { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { readOnlySource } from '../../read-only-source.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'
import { podsToDrain } from './drain-tiers.ts'
import { awaitingVolumeDetachment, failedDraining, terminationGracePeriodExpiring } from './events.ts'
import type { EvictionQueue } from './eviction-queue.ts'
import { GradualDrains, isGradual } from './gradual-drains.ts'
import { instanceEnding } from './instance-ending.ts'
import { reportedDeadline } from './reported-deadline.ts'
import { TerminationMetrics } from './termination-metrics.ts'
import { VolumeDetachment } from './volume-detachment.ts'

const NAME = 'node.termination'
const POLL: Milliseconds = 1_000
/** The minimum duration of a drain. After this time, the informer even shows pods that were bound just before the taint was written. */
const MINIMUM_DRAIN: Milliseconds = 5_000

/** A terminating node. It includes the node's claim if there is exactly one. */
interface Leaving {
  readonly node: Node
  readonly claim: NodeClaim | undefined
  readonly deadline: Milliseconds | undefined
}

/** The claim after a stage, and how long to wait before the next check. If `wait` is absent, the stage is complete. */
interface StageResult {
  readonly claim: NodeClaim | undefined
  readonly wait?: Milliseconds
}

/**
 * Terminates a deleted Node (controller `node.termination`): taints it, drains it, waits for its volumes, terminates its instance,
 * and removes the finalizer (`docs/spec/termination.md#node-finalizer`).
 */
export class NodeTermination {
  readonly #isolation
  readonly #links: ClaimNodes
  readonly #informers
  readonly #workers
  readonly #ownershipLabels
  readonly #client
  readonly #provider
  readonly #log
  readonly #clock
  readonly #queue: EvictionQueue
  readonly #events
  readonly #metrics
  readonly #volumes
  readonly #end
  readonly #gradual = new GradualDrains()

  constructor(deps: Deps, links: ClaimNodes, queue: EvictionQueue) {
    const { client, clock, events, informers, settings } = deps
    const provider = measuredProvider(deps.provider, { ...deps, controller: NAME })
    const log = deps.log.child(NAME)
    this.#isolation = processIsolation(deps)
    this.#metrics = new TerminationMetrics(deps.metrics, clock)
    this.#volumes = new VolumeDetachment(informers, this.#isolation)
    this.#ownershipLabels = provider.nodeClasses.map(nodeClassLabel)
    this.#workers = concurrency(settings, 100, 5000)
    this.#end = instanceEnding({ ...deps, provider, log })
    this.#links = links
    this.#informers = informers
    this.#client = client
    this.#provider = provider
    this.#log = log
    this.#clock = clock
    this.#queue = queue
    this.#events = events
  }

  controller(): Controller {
    return {
      name: NAME,
      reconciles: kinds.Node,
      sources: [
        ...this.#links.nodeSources(),
        readOnlySource(this.#informers, kinds.Pod),
        readOnlySource(this.#informers, kinds.VolumeAttachment),
        readOnlySource(this.#informers, kinds.PersistentVolumeClaim),
      ],
      concurrency: this.#workers,
      backoff: { base: 100, max: 10_000 },
      rate: rateForConcurrency(10, 100, this.#workers),
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const node = this.#links.nodes.get(key)
    if (node === undefined || !this.#isLeaving(node)) {
      this.#gradual.forget(key)
      return done()
    }
    try {
      return await this.#terminate(node, signal)
    } catch (error) {
      // The object in the informer was stale, or the Node was deleted in the meantime.
      if (isConflict(error) || isNotFound(error)) return retry()
      throw error
    }
  }

  #isLeaving(node: Node): boolean {
    return (
      node.metadata.deletionTimestamp !== undefined &&
      node.metadata.finalizers?.includes(finalizers.termination) === true &&
      this.#ownershipLabels.some((key) => ownValue(node.metadata.labels, key) !== undefined)
    )
  }

  /**
   * Returns the claim of the Node. If the informer does not show the claim, reads it through the Node's owner reference, because otherwise
   * its instance would not be terminated.
   */
  async #claimOf(node: Node, signal: AbortSignal): Promise<NodeClaim | undefined> {
    const mirrored = this.#links.claimOf(node)
    const owner = node.metadata.ownerReferences?.find(({ kind }) => kind === karpenterKinds.NodeClaim.kind)
    if (mirrored !== undefined || owner === undefined || (node.spec.providerID ?? '') === '') return mirrored
    if (this.#links.claims.get(owner.name) !== undefined) return undefined
    try {
      const claim = await this.#client.get(karpenterKinds.NodeClaim, { name: owner.name }, { signal })
      return claim.metadata.uid === owner.uid && claim.status?.providerID === node.spec.providerID ? claim : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async #deleteClaim(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const uid = claim.metadata.uid
    try {
      await this.#client.delete(
        karpenterKinds.NodeClaim,
        { name: claim.metadata.name },
        { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Returns whether there is nothing to drain: the node is not ready, and its instance is gone. */
  async #hasLostInstance(node: Node, signal: AbortSignal): Promise<boolean> {
    const providerID = node.spec.providerID ?? ''
    if (isConditionTrue(node, 'Ready') || providerID === '') return false
    try {
      await this.#provider.get(providerID, signal)
      return false
    } catch (error) {
      if (isNodeClaimNotFound(error)) return true
      throw error
    }
  }

  /**
   * Taints and labels the node so that it gets no new pods or traffic. Replaces a taint that has the same key and another effect.
   */
  async #cordon(node: Node, signal: AbortSignal): Promise<Node> {
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
    const ref = { name: node.metadata.name }
    const cordoned = await this.#client.patch(kinds.Node, ref, { type: 'merge', body }, { signal })
    if (!isTainted) {
      this.#log.info('tainted node', {
        Node: ref,
        'taint.Key': taints.disrupted.key,
        'taint.Value': '',
        'taint.Effect': taints.disrupted.effect,
      })
    }
    return cordoned
  }

  async #drain({ node, claim, deadline }: Leaving, signal: AbortSignal): Promise<StageResult> {
    const now = this.#clock.now()
    const draining =
      claim === undefined || findCondition(claim, 'Drained') !== undefined
        ? claim
        : withCondition(claim, { type: 'Drained', status: 'Unknown', reason: 'Draining', message: 'Draining' }, now)
    const nodeName = node.metadata.name
    const { forced, graceful, waiting } = podsToDrain(this.#links.podsOn(nodeName), deadline, now, this.#isolation)
    if (waiting > 0) {
      const due = isGradual(claim) ? this.#gradual.due(nodeName, graceful, now) : graceful
      this.#queue.add([...forced, ...due], deadline)
      this.#events.publish(failedDraining(node, `${waiting} pods are waiting to be evicted`, 'waiting'))
      return { claim: draining, wait: POLL }
    }
    const drained = draining === undefined ? undefined : findCondition(draining, 'Drained')
    if (drained?.status === 'True') return { claim: draining }
    const since = parseTime(drained?.lastTransitionTime)
    if (since !== undefined && now - since < MINIMUM_DRAIN) return { claim: draining, wait: POLL }
    // Reads the pods from the API server, because the informer may lag and Kerf would miss a pod that must be drained.
    const live = await this.#client.list(kinds.Pod, { fieldSelector: `spec.nodeName=${nodeName}`, signal })
    const left = podsToDrain(live.items, deadline, this.#clock.now(), this.#isolation)
    if (left.waiting > 0) return { claim: draining, wait: POLL }
    if (draining === undefined) return { claim: undefined }
    this.#metrics.nodeDrained(node)
    return { claim: withCondition(draining, { type: 'Drained', status: 'True' }, this.#clock.now()) }
  }

  #detach({ node, claim, deadline }: Leaving): StageResult {
    const now = this.#clock.now()
    const pending = this.#volumes.pending(node, this.#links.podsOn(node.metadata.name), now)
    const set = (status: 'True' | 'False' | 'Unknown', reason?: string): NodeClaim | undefined =>
      claim &&
      withCondition(
        claim,
        { type: 'VolumesDetached', status, ...(reason === undefined ? {} : { reason, message: reason }) },
        now,
      )
    if (pending.length === 0) return { claim: set('True') }
    if (deadline !== undefined && now > deadline) return { claim: set('False', 'TerminationGracePeriodElapsed') }
    this.#events.publish(awaitingVolumeDetachment(node, pending))
    return { claim: set('Unknown', 'AwaitingVolumeDetachment'), wait: POLL }
  }

  async #endInstance({ node, claim }: Leaving, signal: AbortSignal): Promise<StageResult> {
    return claim === undefined ? { claim } : await this.#end(claim, node, signal)
  }

  async #release(node: Node, claim: NodeClaim | undefined, signal: AbortSignal): Promise<Outcome> {
    const ref = { name: node.metadata.name }
    const others = (node.metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.termination)
    const body = { metadata: { resourceVersion: node.metadata.resourceVersion, finalizers: others } }
    await this.#client.patch(kinds.Node, ref, { type: 'merge', body }, { signal })
    this.#log.info('deleted node', {
      Node: ref,
      ...(claim === undefined ? {} : { NodeClaim: { name: claim.metadata.name } }),
      'provider-id': node.spec.providerID,
    })
    this.#metrics.nodeTerminated(node)
    return done()
  }

  /** Runs the stages in order until one of them must wait. Writes the conditions of the claim even if a stage fails. */
  async #pass(leaving: Leaving, signal: AbortSignal): Promise<StageResult> {
    const stages = [
      (current: Leaving) => this.#drain(current, signal),
      async (current: Leaving) => this.#detach(current),
      (current: Leaving) => this.#endInstance(current, signal),
    ]
    let result: StageResult = { claim: leaving.claim }
    try {
      for (const stage of stages) {
        result = await stage({ ...leaving, claim: result.claim })
        if (result.wait !== undefined) break
      }
    } finally {
      if (leaving.claim !== undefined && result.claim !== undefined && !signal.aborted) {
        await writeClaim(this.#client, leaving.claim, result.claim, signal)
      }
    }
    return result
  }

  async #terminate(seen: Node, signal: AbortSignal): Promise<Outcome> {
    const claim = await this.#claimOf(seen, signal)
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) await this.#deleteClaim(claim, signal)
    if (await this.#hasLostInstance(seen, signal)) return await this.#release(seen, claim, signal)
    const asked = claim === undefined ? undefined : reportedDeadline(claim, seen, this.#events)
    // While the clock may be wrong, Kerf deletes no pod because of the deadline.
    const deadline = this.#clock.problem === undefined ? asked : undefined
    if (deadline !== undefined) this.#events.publish(terminationGracePeriodExpiring({ node: seen }, deadline))
    const node = await this.#cordon(seen, signal)
    const result = await this.#pass({ node, claim, deadline }, signal)
    return result.wait === undefined ? await this.#release(node, claim, signal) : retryAfter(result.wait)
  }
}
