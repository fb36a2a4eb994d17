import {
  findCondition,
  isConditionTrue,
  isScheduled,
  isTerminal,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type Pod,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  type Key,
  type Logger,
  mapLimit,
  type Outcome,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { shortened } from '../../provisioning/shortened.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'
import type { NominationProgress, Placement, Placements } from '../placement/placements.ts'
import type { RefusedPods } from '../placement/refused-pods.ts'
import { podKey } from '../pod-predicates.ts'
import { giveBackTime, inVainSince } from './give-back-time.ts'
import { NominationWriter, nominatedNode } from './nomination-writer.ts'
import { isOpen, mayOpen } from './open-node.ts'
import { OpeningGate } from './opening-gate.ts'
import { plannedTogether } from './planned-together.ts'
import { CHECK_INTERVAL, WaitingCapacity } from './waiting-capacity.ts'
import { WaitingSpreads } from './waiting-spreads.ts'

/** Kerf removes the nominations of several pods of a node together if their timeouts end within this time. */
const TOGETHER: Milliseconds = 1_000
/**
 * How long Kerf waits before it writes a cleared nomination again while the node is closed, which means that it does not accept pods. On a
 * closed node, every attempt of kube-scheduler fails and clears the nomination.
 */
const WRITE_AGAIN_CLOSED: Milliseconds = 2_000
/** How many nominations are written in parallel before a node accepts pods. */
const PARALLEL_WRITES = 20
const BY_NOMINATED_NODE = 'nomination.nominatedNodeName'

const nominatedNodes = (pod: Pod | undefined): readonly string[] =>
  pod === undefined || nominatedNode(pod) === '' || isScheduled(pod) ? [] : [nominatedNode(pod)]
const isGone = (node: Node | undefined): boolean => node === undefined || node.metadata.deletionTimestamp !== undefined
const objectName = (object: Node | NodeClaim): string => object.metadata.name

/** Returns kube-scheduler's message about refusing the pod, or an empty string. */
const refusal = (pod: Pod): string => {
  const scheduled = findCondition(pod, 'PodScheduled')
  return scheduled?.status === 'False' ? (scheduled.message ?? '') : ''
}

/** Returns whether the message mentions a taint that the pod does not tolerate. */
const isForTaint = (pod: Pod): boolean => refusal(pod).includes('taint')

/** Returns whether a change of a Node affects nominations: the Node was created or deleted, or it started or stopped accepting pods. */
const matters = (before: Node | undefined, after: Node | undefined): boolean =>
  before === undefined || after === undefined || isGone(before) !== isGone(after) || mayOpen(before, after)

/**
 * Writes the node for which a pod is planned to the pod's `status.nominatedNodeName` (controller `pod.nomination`). kube-scheduler tries
 * that node first, and reserves its capacity against pods of lower or equal priority (Kubernetes documentation, "Pod Priority and
 * Preemption"; KEP-5278 describes this use of the field by node autoscalers). Without nominations, kube-scheduler would spread pods by free
 * capacity. If a plan packs nodes tightly, some pod would then not fit on any of them, and Kerf would have to launch another node.
 *
 * A nomination is a hint, not a guarantee. Kerf writes it once for each placement, and again if it was cleared. kube-scheduler clears it
 * after each failed attempt, and every attempt fails while the node is closed. Kerf therefore nominates the pods of a closed node again
 * after a short time, and once more when the node opens.
 *
 * Kerf removes a nomination in these cases:
 *
 * - The node is deleted.
 * - A NodePoolPolicy no longer lets the pod use the node's NodePool.
 * - kube-scheduler refused the pod on the open node, or other pods took its capacity there, and no other nominated pod is being bound.
 * - The node has been open for some time without getting the pod, and kube-scheduler has bound no other nominated pod in that time.
 *
 * The placement ends together with the nomination, so that the next pass may choose another node. If Kerf's role does not allow
 * nominations, Kerf works without them.
 */
export class PodNomination {
  readonly #deps: Deps
  readonly #placements: Placements
  readonly #refusedPods: RefusedPods
  readonly #poolPolicies: ClusterState['poolPolicies']
  readonly #pods: Informer<Pod>
  readonly #nodes: Informer<Node>
  readonly #claims: Informer<NodeClaim>
  readonly #claimNodes: ClaimNodes
  readonly #writer: NominationWriter
  readonly #log: Logger
  readonly #spreads: WaitingSpreads
  readonly #gate: OpeningGate
  readonly #capacity: WaitingCapacity
  /** When kube-scheduler last bound a nominated pod. */
  #takenAt: Milliseconds = 0

  constructor(
    deps: Deps,
    { placements, refusedPods, poolPolicies }: Pick<ClusterState, 'placements' | 'refusedPods' | 'poolPolicies'>,
  ) {
    this.#poolPolicies = poolPolicies
    const { client, clock, informers, metrics, random } = deps
    this.#deps = deps
    this.#spreads = new WaitingSpreads(processIsolation(deps))
    this.#gate = new OpeningGate(deps.clock)
    this.#placements = placements
    this.#refusedPods = refusedPods
    this.#log = deps.log.child('pod.nomination')
    this.#writer = new NominationWriter(client, this.#log, { clock, random, metrics })
    this.#pods = informers.of(kinds.Pod)
    this.#nodes = informers.of(kinds.Node)
    this.#claims = informers.of(karpenterKinds.NodeClaim)
    this.#claimNodes = new ClaimNodes(informers)
    this.#capacity = new WaitingCapacity(deps, placements, this.#claimNodes)
    this.#pods.index(BY_NOMINATED_NODE, nominatedNodes)
  }

  controller(): Controller {
    return {
      name: 'pod.nomination',
      reconciles: kinds.Pod,
      sources: this.#sources(),
      concurrency: concurrency(this.#deps.settings, 10, 1_000),
      subscribe: (enqueue) =>
        this.#placements.onChange(({ after }) => {
          if (after?.source === 'decided') enqueue(after.pod)
        }),
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  /**
   * Before the Node of a NodeClaim opens, nominates the pods that are planned for the NodeClaim. Then waits briefly for the nodes that were
   * planned together with it. Does not throw errors about single pods.
   */
  async nominate(claim: NodeClaim, node: Node, signal: AbortSignal): Promise<void> {
    if (this.#writer.forbiddenFor > 0 || this.#placements.to(objectName(claim)).length === 0) return
    await this.#nameAll(claim, node, signal)
    const others = (): readonly string[] =>
      plannedTogether(claim, this.#placements.targets(), this.#claimNodes, this.#deps.clock.now())
    await this.#gate.pass(objectName(claim), others, signal)
  }

  async #nameAll(claim: NodeClaim, node: Node, signal: AbortSignal): Promise<void> {
    const waiting = this.#placements.to(objectName(claim)).flatMap(({ pod }) => this.#pods.get(pod) ?? [])
    const unnamed = waiting.filter(
      (pod) => isPending(pod) && nominatedNode(pod) !== objectName(node) && this.#mayUse(pod, node),
    )
    await mapLimit(unnamed, PARALLEL_WRITES, async (pod) => {
      const placement = this.#placements.of(pod)
      if (placement === undefined) return
      // A nomination is only a hint, so an error must not delay the opening of the node. The controller retries the nomination later.
      await this.#nominatePod(pod, placement, node, signal, 'opens').catch(() => signal.throwIfAborted())
    })
  }

  #sources(): readonly Source[] {
    return [
      source(this.#pods, ({ before, after }) => this.#podChanged(before, after)),
      source(this.#nodes, ({ before, after }) => {
        const node = after ?? before
        return node !== undefined && matters(before, after) ? this.#podsOf(node) : []
      }),
      source(this.#claims, ({ before, after }) => {
        const claim = after ?? before
        if (claim !== undefined && (after === undefined || isConditionTrue(after, 'Registered'))) {
          this.#gate.forget(objectName(claim))
        }
        return after === undefined ? [] : this.#keysTo(objectName(after))
      }),
    ]
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): readonly Key[] {
    this.#spreads.change(before, after)
    const pod = after ?? before
    if (pod === undefined) return []
    const key = podKey(pod)
    const [left] = nominatedNodes(before)
    if (left !== undefined && after !== undefined && isScheduled(after)) this.#takenAt = this.#deps.clock.now()
    if (left !== undefined && after !== undefined) this.#noteRefusal(after, left)
    if (before !== undefined && after !== undefined && refusal(before) !== refusal(after)) this.#noteTry(after)
    this.#writer.seen(key, after)
    const own = this.#placements.of(pod) !== undefined || nominatedNodes(pod).length > 0 ? [key] : []
    const [now] = nominatedNodes(after)
    // The nomination for the node `left` has ended, so another pod of the same spread group may be nominated for that node.
    const node = left === undefined || left === now ? undefined : this.#nodes.get(left)
    return node === undefined ? own : [...own, ...this.#podsOf(node)]
  }

  /**
   * Records that kube-scheduler cleared the nomination after a failed attempt. If the node was open, kube-scheduler refused the pod there.
   */
  #noteRefusal(pod: Pod, left: string): void {
    if (isScheduled(pod) || nominatedNode(pod) !== '') return
    const placement = this.#placements.of(pod)
    if (placement === undefined || placement.nomination.isGivenUp) return
    const node = this.#nodeOf(placement.target)
    if (node?.metadata.name !== left || !this.#isOpen(node, placement.target)) return
    placement.nomination.refusals++
    // If the message mentions a taint, this attempt may have begun before the node opened. Only a second attempt has certainly begun
    // afterwards.
    const isCertain = placement.nomination.refusals > 1 || !isForTaint(pod)
    if (isCertain) placement.nomination.refusedAt ??= this.#deps.clock.now()
  }

  /**
   * Records that kube-scheduler tried and refused a pod without a nomination. Each new refusal belongs to a new attempt. If the message of
   * the refusal mentions no taint, kube-scheduler has also tried the new node.
   */
  #noteTry(pod: Pod): void {
    const placement = this.#placements.of(pod)
    if (placement === undefined || placement.nomination.writtenAt !== undefined || nominatedNode(pod) !== '') return
    const node = this.#nodeOf(placement.target)
    const wasTried = node !== undefined && this.#isOpen(node, placement.target) && !isForTaint(pod)
    placement.nomination.wasTriedUnnamed = wasTried
  }

  #keysTo(target: string): readonly Key[] {
    return this.#placements.to(target).map(({ pod }) => pod)
  }

  /** Returns the keys of the pods whose nominations a change of the Node affects. */
  #podsOf(node: Node): readonly Key[] {
    const claim = this.#claimNodes.claimOf(node)
    return [
      ...(claim === undefined ? [] : this.#keysTo(objectName(claim))),
      ...this.#keysTo(objectName(node)),
      ...this.#pods.by(BY_NOMINATED_NODE, objectName(node)).map(podKey),
    ]
  }

  async #reconcile(key: Key, signal: AbortSignal): Promise<Outcome> {
    const pod = this.#pods.get(key)
    if (pod === undefined || !isPending(pod)) return done()
    const forbiddenFor = this.#writer.forbiddenFor
    if (forbiddenFor > 0) return retryAfter(forbiddenFor)
    const nominated = nominatedNode(pod)
    if (nominated !== '' && isGone(this.#nodes.get(nominated))) {
      await this.#writer.write(pod, null, signal)
      return done()
    }
    this.#adopt(pod, nominated)
    const placement = this.#placements.of(pod)
    const node = placement === undefined ? undefined : this.#nodeOf(placement.target)
    if (placement === undefined || node === undefined || isGone(node)) return done()
    if (!this.#mayUse(pod, node)) {
      this.#placements.forget(pod)
      if (nominated === objectName(node)) await this.#writer.write(pod, null, signal)
      return done()
    }
    // If the pod's status names another node than the one where the latest plan places the pod, the status comes from an older plan.
    const isRefused = nominated === '' && inVainSince(placement.nomination) !== undefined
    if (nominated !== objectName(node) && !isRefused) return await this.#nominatePod(pod, placement, node, signal)
    return await this.#giveBackAfterTimeout(pod, placement, node, signal)
  }

  /** Adopts a nomination that an earlier process wrote. */
  #adopt(pod: Pod, nominated: string): void {
    const node = nominated === '' ? undefined : this.#nodes.get(nominated)
    if (node !== undefined && this.#claimNodes.claimOf(node) !== undefined) this.#placements.adopt(pod, nominated)
  }

  /** Returns the Node of a placement's target, or undefined if it does not exist. */
  #nodeOf(target: string): Node | undefined {
    const claim = this.#claims.get(target)
    return claim === undefined ? this.#nodes.get(target) : this.#claimNodes.nodeOf(claim)
  }

  /** Returns whether the NodePoolPolicies let the pod use the node. */
  #mayUse(pod: Pod, node: Node): boolean {
    return this.#poolPolicies.accessRefusal(pod, node.metadata.labels?.[labels.nodePool]) === undefined
  }

  #isOpen(node: Node, target: string): boolean {
    return isOpen(node, this.#claims.get(target)?.spec.startupTaints)
  }

  /**
   * Writes the nomination once for each placement. If the status then contains another node, kube-scheduler or a second Kerf has changed
   * it. Kerf does not overwrite that value, because otherwise the two programs would overwrite each other's values endlessly. Kerf writes a
   * cleared nomination again in three cases: after a delay, just before the node opens, and as soon as it is open.
   */
  async #nominatePod(
    pod: Pod,
    { target, nomination }: Placement,
    node: Node,
    signal: AbortSignal,
    when: 'opens' | 'any time' = 'any time',
  ): Promise<Outcome> {
    if (!this.#spreads.allows(pod, () => this.#nominatedFor(objectName(node), podKey(pod)))) return done()
    const { clock } = this.#deps
    const isOpenNow = this.#isOpen(node, target)
    if (nomination.writtenAt !== undefined) {
      if (nominatedNode(pod) !== '') return done()
      const passed = clock.now() - nomination.writtenAt
      const wait = when === 'opens' || (isOpenNow && !nomination.wasOpen) ? 0 : WRITE_AGAIN_CLOSED
      if (passed < wait) return retryAfter(wait - passed)
      // By now, the informer would show the earlier write, so the nomination has been cleared.
      if (passed >= WRITE_AGAIN_CLOSED) this.#writer.forget(podKey(pod))
    }
    await this.#writer.write(pod, objectName(node), signal)
    // A nomination does not make kube-scheduler retry the pod. kube-scheduler retries it when something else changes, or after five
    // minutes. Therefore a refusal on the open node counts for the nomination even if it happened before the nomination.
    if (isOpenNow && nomination.wasTriedUnnamed) nomination.refusedAt ??= clock.now()
    nomination.writtenAt = clock.now()
    nomination.wasOpen = isOpenNow
    nomination.openAt = undefined
    nomination.isGivenUp = false
    return done()
  }

  /**
   * Returns the unscheduled pods that are nominated for a Node, according to the informer or to recent writes. Excludes the pod `except`.
   */
  #nominatedFor(node: string, except: Key): readonly Pod[] {
    const keys = new Set([...this.#pods.by(BY_NOMINATED_NODE, node).map(podKey), ...this.#writer.writtenFor(node)])
    keys.delete(except)
    return [...keys].flatMap((key) => this.#pods.get(key) ?? []).filter((pod) => !isScheduled(pod))
  }

  /**
   * Waits until the pod is bound to the open node. After the timeout, removes the nomination, so that the next pass can place the pod
   * elsewhere.
   */
  async #giveBackAfterTimeout(
    pod: Pod,
    { target, nomination }: Placement,
    node: Node,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (!this.#isOpen(node, target)) return done()
    nomination.openAt ??= this.#deps.clock.now()
    if (!nomination.isGivenUp) {
      this.#capacity.check(target, node)
      const left = this.#timeLeft(nomination)
      if (left > 0) return retryAfter(Math.min(left, CHECK_INTERVAL))
      this.#giveUp(target, objectName(node))
    }
    this.#placements.forget(pod)
    if (nominatedNode(pod) !== '') await this.#writer.write(pod, null, signal)
    return done()
  }

  /** Returns the time until the nomination is removed. Infinity while the node does not accept pods. */
  #timeLeft(nomination: NominationProgress): Milliseconds {
    return giveBackTime(nomination, this.#takenAt) - this.#deps.clock.now()
  }

  /**
   * Marks the nominations of all pods on this node whose timeout has ended as given up. The reconciliation of each of these pods then
   * removes the nomination.
   */
  #giveUp(target: string, node: string): void {
    const lost: Key[] = []
    let words = ''
    let withoutRoom = 0
    for (const { pod: key, nomination } of this.#placements.to(target)) {
      const pod = this.#pods.get(key)
      if (pod === undefined || isScheduled(pod)) continue
      if (nominatedNode(pod) !== node && inVainSince(nomination) === undefined) continue
      if (this.#timeLeft(nomination) > TOGETHER) continue
      nomination.isGivenUp = true
      if (nomination.refusedAt !== undefined) words = refusal(pod)
      if (nomination.withoutCapacitySince !== undefined) withoutRoom++
      else if (nomination.refusedAt !== undefined) this.#refusedPods.refuse(pod, node, refusal(pod))
      lost.push(key)
    }
    this.#log.info('removing nomination(s): the pod(s) were not bound to the node', {
      Pods: shortened(lost),
      pods: lost.length,
      Node: { name: node },
      ...(words !== '' && { 'kube-scheduler': words }),
      ...(withoutRoom > 0 && { withoutRoom }),
    })
  }
}

const isPending = (pod: Pod): boolean => !isScheduled(pod) && !isTerminal(pod)
