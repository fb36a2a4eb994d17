import { isScheduled, isTerminal, karpenterKinds, kinds, type Node, type NodeClaim, type Pod } from '@kerf/apis'
import {
  ApiError,
  type Controller,
  done,
  isConflict,
  isInvalid,
  isNotFound,
  type Milliseconds,
  mapLimit,
  type Outcome,
  refOf,
  retryAfter,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { podKey } from '../pods/pod-predicates.ts'
import type { DecisionLog } from '../provisioning/decision-log.ts'
import { shortened } from '../provisioning/shortened.ts'
import type { PlannedPods } from '../state/planned-pods.ts'
import { type Nomination, Nominations } from './nominations.ts'
import { isOpen, mayOpen } from './open-node.ts'
import { WaitingSpreads } from './waiting-spreads.ts'

/** A pod that its open node has not taken after this long will not be taken: the nomination is given back. */
const PATIENCE: Milliseconds = 20_000
/** As long as other nominated pods are taken, kube-scheduler is still working off its queue: up to this. */
const MOST_PATIENCE: Milliseconds = 120_000
/** Pods whose patience with a node ends this close together are given back in one decision. */
const TOGETHER: Milliseconds = 1_000
/** When a pod is told its node again that has lost the name. */
const TELL_AGAIN: Milliseconds = 10_000
/** The same while the node is not open yet: every attempt of kube-scheduler fails there, and each takes the name away. */
const TELL_AGAIN_CLOSED: Milliseconds = 2_000
/** Pods told of their node at a time, before it is opened. */
const PARALLEL_WRITES = 20
const BY_NOMINATED_NODE = 'nomination.nominatedNodeName'

const nominatedNode = (pod: Pod): string => pod.status?.nominatedNodeName ?? ''
const nominatedNodes = (pod: Pod): readonly string[] =>
  nominatedNode(pod) === '' || isScheduled(pod) ? [] : [nominatedNode(pod)]
const isGone = (node: Node | undefined): boolean => node === undefined || node.metadata.deletionTimestamp !== undefined

/** Whether a node has come, begun to go, gone, or opened: what a nomination looks at. */
const matters = (before: Node | undefined, after: Node | undefined): boolean =>
  before === undefined || after === undefined || isGone(before) !== isGone(after) || mayOpen(before, after)

export interface PodNomination {
  readonly controller: Controller
  /** Nominates the pods that were planned for a claim: before its Node is opened to them. Never fails for a pod. */
  nominate(claim: NodeClaim, node: Node, signal: AbortSignal): Promise<void>
}

/**
 * Tells kube-scheduler which node a pod was planned for, by the pod's `status.nominatedNodeName`: it looks at that node
 * first, and keeps its room from pods of lower or equal rank (Kubernetes documentation, "Pod Priority and Preemption";
 * KEP-5278 names node autoscalers as users of the field). Without it kube-scheduler spreads pods by free room, and a plan
 * that packs nodes well leaves a pod behind, for which another node has to be bought.
 *
 * A nomination is a hint, never a promise: each decision is told once, and again where the name was taken away. That is what
 * kube-scheduler does at each attempt that fails, and while a node is not open yet every attempt fails: so the pods of such
 * a node are told again soon, and once more when it opens. A nomination is given back when the node goes, and when the
 * node is open and has not taken the pod for a while in which kube-scheduler took no other either; `planned` forgets the
 * place then, so that the next decision may choose another. Where the role does not allow it (`pods/status` is not in
 * upstream's) Kerf goes on without.
 */
export const podNomination = (deps: Deps, decisions: DecisionLog, planned: PlannedPods): PodNomination => {
  const { client, clock, informers } = deps
  const log = deps.log.child('pod.nomination')
  const pods = informers.of(kinds.Pod)
  const nodes = informers.of(kinds.Node)
  const claims = informers.of(karpenterKinds.NodeClaim)
  const claimNodes = new ClaimNodes(informers)
  const nominations = new Nominations()
  const spreads = new WaitingSpreads()
  /** Names on their way to the API or just written: the informer shows them later. */
  const written = new Map<string, string>()
  let isForbidden = false
  /** When a nominated pod was last bound. */
  let takenAt: Milliseconds = 0
  pods.index(BY_NOMINATED_NODE, nominatedNodes)

  const startupTaintsOf = (target: string) => claims.get(target)?.spec.startupTaints

  /** The node that was meant, once it is there. */
  const nodeOf = (target: string): Node | undefined => {
    const claim = claims.get(target)
    return claim === undefined ? nodes.get(target) : claimNodes.nodeOf(claim)
  }

  const concernedBy = (node: Node): readonly string[] => {
    const name = node.metadata.name ?? ''
    const claim = claimNodes.claimOf(node)?.metadata.name
    return [
      ...(claim === undefined ? [] : nominations.for(claim)),
      ...nominations.for(name),
      ...pods.by(BY_NOMINATED_NODE, name).map(podKey),
    ]
  }

  /** Pods nominated for a node, as far as anybody knows, that wait. */
  const nominatedFor = (name: string, except: string): readonly Pod[] => {
    const keys = new Set(pods.by(BY_NOMINATED_NODE, name).map(podKey))
    for (const [key, node] of written) if (node === name) keys.add(key)
    keys.delete(except)
    return [...keys].flatMap((key) => pods.get(key) ?? []).filter((pod) => !isScheduled(pod))
  }
  const mayNominate = (pod: Pod, name: string): boolean => spreads.allows(pod, nominatedFor(name, podKey(pod)))

  /** A nomination that an earlier process wrote is watched like one of ours. */
  const adopt = (key: string, nominated: string): void => {
    const node = nominated === '' || nominations.of(key) !== undefined ? undefined : nodes.get(nominated)
    if (node !== undefined && claimNodes.claimOf(node) !== undefined) nominations.set(key, nominated)
  }

  const write = async (pod: Pod, nominatedNodeName: string | null, signal: AbortSignal): Promise<Outcome> => {
    // Written already, and the informer has not heard of it: a thousand pods told five times would use up the rate of calls.
    if (nominatedNodeName !== null && written.get(podKey(pod)) === nominatedNodeName) return done()
    const body = { metadata: { uid: pod.metadata.uid }, status: { nominatedNodeName } }
    if (nominatedNodeName === null) written.delete(podKey(pod))
    else written.set(podKey(pod), nominatedNodeName)
    try {
      await client.patch(kinds.Pod, refOf(podKey(pod)), { type: 'merge', body }, { subresource: 'status', signal })
    } catch (error) {
      written.delete(podKey(pod))
      if (error instanceof ApiError && error.code === 403) {
        if (!isForbidden)
          log.info('pods are not nominated for their nodes: the role does not allow to patch pods/status')
        isForbidden = true
        // Invalid: the pod was bound meanwhile, and a bound pod may not be nominated.
      } else if (!isNotFound(error) && !isConflict(error) && !isInvalid(error)) throw error
    }
    return done()
  }

  /**
   * Tells the pod of the decision, once: a name that has come since is kube-scheduler's own, or that of a second Kerf, and to
   * insist would go on as fast as the API answers. Where somebody took the name away, it is told again after a while, and
   * as soon as the node has opened.
   */
  const tell = async (pod: Pod, node: Node, signal: AbortSignal): Promise<Outcome> => {
    const key = podKey(pod)
    const name = node.metadata.name ?? ''
    const nomination = nominations.of(key)
    if (nomination === undefined || !mayNominate(pod, name)) return done()
    const isOpenNow = isOpen(node, startupTaintsOf(nomination.target))
    if (nomination.toldAt !== undefined) {
      if (nominatedNode(pod) !== '') return done()
      const passed = clock.now() - nomination.toldAt
      const closed = isOpenNow ? 0 : TELL_AGAIN_CLOSED
      const left = (nomination.wasOpen ? TELL_AGAIN : closed) - passed
      if (left > 0) return retryAfter(left)
      // The informer has had its time to show what was written.
      if (passed >= TELL_AGAIN_CLOSED) written.delete(key)
    }
    const outcome = await write(pod, name, signal)
    nomination.toldAt = clock.now()
    nomination.wasOpen = isOpenNow
    nomination.openAt = undefined
    nomination.isGivenUp = false
    return outcome
  }

  /** Until a pod counts as refused by its node; without an end while that is not open. */
  const patience = ({ openAt }: Nomination): Milliseconds =>
    openAt === undefined
      ? Infinity
      : Math.min(Math.max(openAt, takenAt) + PATIENCE, openAt + MOST_PATIENCE) - clock.now()

  /** Decides for all pods of a node that it has not taken them. Each is given back in its own reconciliation. */
  const giveUp = (target: string, node: string): void => {
    const lost: string[] = []
    for (const key of nominations.for(target)) {
      const nomination = nominations.of(key)
      const pod = pods.get(key)
      if (nomination === undefined || pod === undefined || isScheduled(pod) || nominatedNode(pod) !== node) continue
      if (patience(nomination) > TOGETHER) continue
      nomination.isGivenUp = true
      lost.push(key)
    }
    log.info('giving nomination(s) back: the node has not taken the pod(s)', {
      Pods: shortened(lost),
      pods: lost.length,
      Node: { name: node },
    })
  }

  const reconcile = async (key: string, signal: AbortSignal): Promise<Outcome> => {
    const pod = pods.get(key)
    if (isForbidden || pod === undefined || isScheduled(pod) || isTerminal(pod)) {
      nominations.delete(key)
      return done()
    }
    const nominated = nominatedNode(pod)
    if (nominated !== '' && isGone(nodes.get(nominated))) return write(pod, null, signal)
    adopt(key, nominated)
    const nomination = nominations.of(key)
    const node = nomination === undefined ? undefined : nodeOf(nomination.target)
    if (nomination === undefined || node === undefined || isGone(node)) return done()
    const name = node.metadata.name ?? ''
    // Another name is an older plan's; the latest counted on this one.
    if (nominated !== name) return await tell(pod, node, signal)
    if (!isOpen(node, startupTaintsOf(nomination.target))) return done()
    nomination.openAt ??= clock.now()
    if (!nomination.isGivenUp) {
      const left = patience(nomination)
      if (left > 0) return retryAfter(left)
      giveUp(nomination.target, name)
    }
    nominations.delete(key)
    planned.forget(pod)
    return write(pod, null, signal)
  }

  const controller: Controller = {
    name: 'pod.nomination',
    reconciles: kinds.Pod,
    sources: [
      source(pods, ({ before, after }) => {
        spreads.change(before, after)
        const pod = after ?? before
        if (pod === undefined) return []
        const key = podKey(pod)
        const wasNominated = before !== undefined && nominatedNodes(before).length > 0
        if (wasNominated && after !== undefined && isScheduled(after)) takenAt = clock.now()
        if (after === undefined || isScheduled(after) || nominatedNode(after) === written.get(key)) written.delete(key)
        const own = nominations.of(key) !== undefined || nominatedNodes(pod).length > 0 ? [key] : []
        const [left] = before === undefined ? [] : nominatedNodes(before)
        const [now] = after === undefined ? [] : nominatedNodes(after)
        // Its nomination ended: the next of its group may have one for the same node.
        const node = left === undefined || left === now ? undefined : nodes.get(left)
        return node === undefined ? own : [...own, ...concernedBy(node)]
      }),
      source(nodes, ({ before, after }) => {
        const node = after ?? before
        return node !== undefined && matters(before, after) ? concernedBy(node) : []
      }),
      source(claims, ({ after }) => (after === undefined ? [] : nominations.for(after.metadata.name ?? ''))),
    ],
    concurrency: concurrency(deps.settings, 10, 1_000),
    subscribe: (enqueue) =>
      decisions.onDecision((decision) => {
        if (decision.kind === 'refuse') {
          nominations.delete(decision.pod)
          return
        }
        const target = decision.kind === 'launch' ? decision.nodeClaim : decision.node
        for (const pod of decision.pods) {
          nominations.set(pod, target)
          enqueue(pod)
        }
      }),
    reconcile,
  }
  const nominate = async (claim: NodeClaim, node: Node, signal: AbortSignal): Promise<void> => {
    const name = node.metadata.name ?? ''
    const waiting = nominations.for(claim.metadata.name ?? '').flatMap((key) => pods.get(key) ?? [])
    const unnamed = waiting.filter((pod) => !isScheduled(pod) && nominatedNode(pod) !== name)
    await mapLimit(isForbidden ? [] : unnamed, PARALLEL_WRITES, async (pod) => {
      // The controller tries again; a node must not wait for a hint.
      await tell(pod, node, signal).catch(() => signal.throwIfAborted())
    })
  }

  return { controller, nominate }
}
