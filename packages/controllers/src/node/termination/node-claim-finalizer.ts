import {
  annotations,
  finalizers,
  findCondition,
  formatTime,
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  parseTime,
  tryParseDuration,
} from '@kerf/apis'
import { done, isNotFound, type Outcome, retryAfter } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { writeClaim, writeFinalizers } from '../../nodeclaim/claim-changes.ts'
import type { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { terminationGracePeriodExpiring } from './events.ts'
import { INSTANCE_POLL, type InstanceEnding, instanceEnding } from './instance-ending.ts'
import { TerminationMetrics } from './termination-metrics.ts'

/** How long Kerf asks the provider for the instance of a claim that never had a provider ID. */
const LONGEST_LOOKUP: Milliseconds = 300_000

/** Returns the stored claim with the provider ID of the claim in memory. The API server may have refused to store that provider ID. */
const withInstanceOf = (stored: NodeClaim, { status }: NodeClaim): NodeClaim =>
  (status?.providerID ?? '') === '' || stored.status?.providerID === status?.providerID
    ? stored
    : { ...stored, status: { ...status, ...stored.status, providerID: status?.providerID ?? '' } }

/**
 * Terminates a deleted NodeClaim (`docs/spec/termination.md#nodeclaim-finalizer`): sets the deadline, deletes the Nodes, terminates
 * the instance and removes the finalizer, in this order. Nodes that never accepted pods are not deleted.
 */
export class NodeClaimFinalizer {
  readonly #endInstance
  readonly #provider
  readonly #client
  readonly #metrics
  readonly #log
  readonly #events
  readonly #links: ClaimNodes
  readonly #clock

  constructor(deps: Deps, links: ClaimNodes) {
    const { client, clock, events, log, provider } = deps
    this.#endInstance = instanceEnding(deps)
    this.#metrics = new TerminationMetrics(deps.metrics, clock)
    this.#provider = provider
    this.#client = client
    this.#log = log
    this.#events = events
    this.#links = links
    this.#clock = clock
  }

  async finalize(seen: NodeClaim, signal: AbortSignal): Promise<Outcome> {
    const present = seen.metadata.finalizers ?? []
    if (!present.includes(finalizers.termination)) return done()
    try {
      let claim = await this.#withDeadline(seen, signal)
      const mayHavePods = isConditionTrue(claim, 'Registered') || (await this.#hasOpenedNode(claim, signal))
      if (mayHavePods && (await this.#deleteNodes(claim, signal))) return retryAfter(INSTANCE_POLL)
      if (this.#mayHoldInstance(claim)) {
        const ending = await this.#ending(claim, signal)
        const stored = await writeClaim(this.#client, claim, ending.claim, signal)
        claim = stored === undefined ? claim : withInstanceOf(stored, claim)
        if (ending.wait !== undefined) return retryAfter(ending.wait)
        if (findCondition(claim, 'InstanceTerminating') !== undefined) this.#metrics.instanceTerminated(claim)
      }
      const others = (claim.metadata.finalizers ?? []).filter((name) => name !== finalizers.termination)
      await writeFinalizers(this.#client, claim, others, signal)
      this.#log.info('deleted nodeclaim', {
        NodeClaim: { name: claim.metadata.name },
        'provider-id': claim.status?.providerID,
        Node: { name: claim.status?.nodeName },
      })
      this.#metrics.claimTerminated(claim)
      return done()
    } catch (error) {
      if (isNotFound(error)) return done()
      throw error
    }
  }

  /**
   * Requests the termination of the instance. If the claim never had a provider ID, gives up after a while, even if the provider could not
   * determine whether an instance exists. Garbage collection terminates instances without a claim.
   */
  async #ending(claim: NodeClaim, signal: AbortSignal): Promise<InstanceEnding> {
    try {
      return await this.#endInstance(claim, undefined, signal)
    } catch (error) {
      signal.throwIfAborted()
      const deleted = parseTime(claim.metadata.deletionTimestamp) ?? this.#clock.now()
      const isNamed = (claim.status?.providerID ?? '') !== ''
      if (isNamed || this.#clock.now() - deleted < LONGEST_LOOKUP) throw error
      this.#log.error(
        'nodeclaim was never launched, and the provider cannot look up an instance for it; removing its finalizer',
        {
          NodeClaim: { name: claim.metadata.name },
          error,
        },
      )
      return { claim }
    }
  }

  /**
   * Returns whether the provider may have an instance for the claim. If a launch takes several calls, Kerf may have stopped between them,
   * before it wrote the instance to the claim.
   */
  #mayHoldInstance({ status }: NodeClaim): boolean {
    return (status?.providerID ?? '') !== '' || this.#provider.launchTimeout !== undefined
  }

  /** Writes the deadline at which all pods must be gone. Does not overwrite an existing deadline. */
  async #withDeadline(claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim> {
    const period = claim.spec.terminationGracePeriod
    const deleted = parseTime(claim.metadata.deletionTimestamp)
    if (period === undefined || deleted === undefined) return claim
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return claim
    const duration = tryParseDuration(period)
    if (duration === undefined) {
      this.#log.warn('nodeclaim has no deadline: spec.terminationGracePeriod cannot be parsed', {
        NodeClaim: { name: claim.metadata.name },
        terminationGracePeriod: period,
      })
      return claim
    }
    const deadline = deleted + duration
    const value = formatTime(deadline)
    const body = {
      metadata: {
        resourceVersion: claim.metadata.resourceVersion,
        annotations: { [annotations.terminationTimestamp]: value },
      },
    }
    const ref = { name: claim.metadata.name }
    const annotated = await this.#client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { signal })
    this.#log.info('annotated nodeclaim', { NodeClaim: ref, [annotations.terminationTimestamp]: value })
    this.#events.publish(terminationGracePeriodExpiring({ claim }, deadline))
    return withInstanceOf(annotated, claim)
  }

  /** Deletes the claim's Nodes. Returns whether any of them still exists. */
  async #deleteNodes(claim: NodeClaim, signal: AbortSignal): Promise<boolean> {
    const nodes = this.#links.nodesOf(claim)
    for (const node of nodes) {
      if (node.metadata.deletionTimestamp !== undefined) continue
      const uid = node.metadata.uid
      try {
        await this.#client.delete(
          kinds.Node,
          { name: node.metadata.name },
          { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) },
        )
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    return nodes.length > 0 || (await this.#hasUnseenNode(claim, signal))
  }

  async #liveNode(name: string, signal: AbortSignal): Promise<Node | undefined> {
    try {
      return await this.#client.get(kinds.Node, { name }, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /**
   * Returns whether the API server has a Node that the informer does not show yet. Kerf must drain a Node before it terminates the
   * instance.
   */
  async #hasUnseenNode({ status }: NodeClaim, signal: AbortSignal): Promise<boolean> {
    const name = status?.nodeName ?? ''
    const node = name === '' ? undefined : await this.#liveNode(name, signal)
    return node !== undefined && node.spec.providerID === status?.providerID
  }

  /**
   * Returns whether pods may have run on a Node of the claim. Registration writes the Node before the claim. If the claim is deleted
   * between these writes, its status never shows the registration, although its Node may have pods.
   */
  async #hasOpenedNode(claim: NodeClaim, signal: AbortSignal): Promise<boolean> {
    const isOpened = (node: Node | undefined): boolean => node?.metadata.labels?.[labels.registered] !== undefined
    for (const node of this.#links.nodesOf(claim)) {
      if (isOpened(node) || isOpened(await this.#liveNode(node.metadata.name, signal))) return true
    }
    return false
  }
}
