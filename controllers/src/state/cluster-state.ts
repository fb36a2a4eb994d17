import {
  addResources,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type Pod,
} from '@kerf/apis'
import type { NodeState, Resources } from '@kerf/engine'
import type { Informer } from '@kerf/runtime'
import { OtherAutoscalers } from '../coexistence/other-autoscalers.ts'
import type { Deps } from '../deps.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import { type Isolation, isolationOf } from '../isolation/isolation.ts'
import { isManagedClaim } from '../node-claims/ownership.ts'
import type { Placements } from '../placements/placements.ts'
import type { RefusedPods } from '../placements/refused-pods.ts'
import { ClaimLedger } from './claim-ledger.ts'
import { isOnlyHeartbeat } from './heartbeat.ts'
import { isLaunchPending, joinKeyOf, keyWithoutInstance } from './join-key.ts'
import type { PodLedger } from './pod-ledger.ts'
import { PodMirror } from './pod-mirror.ts'
import type { SuccessionListener } from './pod-succession.ts'
import type { PodTimings } from './pod-timings.ts'
import { closedView, StateNode } from './state-node.ts'

/** After this long without a change, consolidation searches again all the same. */
const CONSOLIDATION_EXPIRY: Milliseconds = 300_000
/** A thousandth of a millisecond: what distinguishes one change from the next. */
const CHANGE: Milliseconds = 0.001
const NOTHING: Resources = Object.freeze({})

/** Cluster state needs these; tests may leave out the rest. */
export type StateDeps = Pick<Deps, 'client' | 'clock' | 'informers' | 'log' | 'metrics' | 'provider' | 'settings'>

/** What only reads the mirror: nothing is asked of the API, and nothing written. */
export type MirrorDeps = Omit<StateDeps, 'client'>

const nameOf = (object: Node | NodeClaim): string => object.metadata.name ?? ''

/**
 * The cluster in memory (`docs/spec/cluster-state.md`): every Node and launched NodeClaim joined by provider ID, with
 * the pods on it, kept change by change from the informers. Changes are applied as the informers report them, in the
 * same turn, so what is read here is never older than the informers.
 *
 * Kerf's own decisions are known before the API shows them: claims just created, nodes marked for deletion, nominations.
 */
export class ClusterState {
  readonly pods: PodLedger
  readonly claims = new ClaimLedger()
  readonly placements: Placements
  readonly refusedPods: RefusedPods
  readonly timings: PodTimings
  readonly others: OtherAutoscalers
  readonly isolation: Isolation
  readonly #deps: MirrorDeps
  readonly #podMirror: PodMirror
  readonly #nodes: Informer<Node>
  readonly #nodeClaims: Informer<NodeClaim>
  readonly #byID = new Map<string, StateNode>()
  readonly #idOfNode = new Map<string, string>()
  /** `''` while nobody knows what the claim's instance will be. */
  readonly #idOfClaim = new Map<string, string>()
  /** Claims without an instance that decisions wait for, with the time since when they are known. */
  readonly #unlaunched = new Map<string, Milliseconds>()
  /** Claims without an instance that decisions no longer wait for. */
  readonly #leftOut = new Set<string>()
  /** Names of Nodes and NodeClaims that cannot be read, and what decisions see of them. */
  readonly #unreadable = new Set<string>()
  readonly #closedViews = new WeakMap<StateNode, { readonly version: number; readonly view: NodeState }>()
  /** Created by this process and not yet seen by the informer, with the time of creation. */
  readonly #unseen = new Map<string, Milliseconds>()
  readonly #members = new Map<string, Set<StateNode>>()
  readonly #usage = new Map<string, Resources>()
  readonly #launchListeners = new Set<() => void>()
  /** Virtual pods of CapacityBuffers by provider ID: they only keep a node from counting as empty. */
  #bufferPods: ReadonlyMap<string, number> = new Map()
  #consolidation: Milliseconds
  #version = 0

  constructor(deps: MirrorDeps, others = new OtherAutoscalers(deps.settings)) {
    this.#deps = deps
    this.others = others
    this.isolation = isolationOf(deps)
    this.#nodes = deps.informers.of(kinds.Node)
    this.#nodeClaims = deps.informers.of(karpenterKinds.NodeClaim)
    this.#podMirror = new PodMirror(deps, this)
    this.pods = this.#podMirror.ledger
    this.placements = this.#podMirror.placements
    this.refusedPods = this.#podMirror.refusedPods
    this.timings = this.#podMirror.timings
    this.#consolidation = deps.clock.now()
  }

  /** Starts to follow the informers; call it before they run. Returns the way to stop. */
  follow(): () => void {
    const { informers } = this.#deps
    const generations = new Map<string, number>()
    const stops = [
      this.#podMirror.follow(),
      this.#nodes.onChange(({ before, after }) => {
        this.#apart('Node', after ?? before, () => {
          if (after !== undefined) this.#seeNode(before, after)
          else if (before !== undefined) this.#removeNode(nameOf(before))
        })
      }),
      this.#nodeClaims.onChange(({ before, after }) => {
        this.#apart('NodeClaim', after ?? before, () => {
          if (after !== undefined) this.#seeClaim(after)
          else if (before !== undefined) this.#removeClaim(nameOf(before))
        })
        if (after !== undefined) this.#countUnreadable(after)
      }),
      informers.of(karpenterKinds.NodePool).onChange(({ before, after }) => {
        this.#apart('NodePool', after ?? before, () => {
          const name = (after ?? before)?.metadata.name ?? ''
          const generation = after?.metadata.generation ?? 0
          if (generations.get(name) !== generation) this.markUnconsolidated()
          generations.set(name, generation)
        })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Rises with every change of nodes, claims and pods, and of what was decided about them. */
  get version(): number {
    return this.#version + this.#podMirror.version
  }

  /** Every node and every launched claim. */
  nodes(): Iterable<StateNode> {
    return this.#byID.values()
  }

  get nodeCount(): number {
    return this.#byID.size
  }

  byProviderID(providerID: string): StateNode | undefined {
    return this.#byID.get(providerID)
  }

  byNodeName(name: string): StateNode | undefined {
    return this.#byID.get(this.#idOfNode.get(name) ?? '')
  }

  byClaimName(name: string): StateNode | undefined {
    return this.#byID.get(this.#idOfClaim.get(name) ?? '')
  }

  /** Whether this Node or NodeClaim name is followed, launched or not. */
  tracksNode(name: string): boolean {
    return this.#idOfNode.has(name)
  }

  tracksClaim(name: string): boolean {
    return this.#idOfClaim.has(name)
  }

  /**
   * A Node that carries too little to be joined to anything: its claim stands for it
   * (`docs/spec/cluster-state.md#updates`).
   */
  ignoresNode(node: Node): boolean {
    const carried = node.metadata.labels ?? {}
    if (carried[labels.nodePool] === undefined) return false
    if ((node.spec.providerID ?? '') === '') return true
    return (carried[labels.instanceType] ?? '') === '' && carried[labels.initialized] === undefined
  }

  /** Claims of which nobody knows yet what their instance will be: while there are any, too much may be launched. */
  get unlaunched(): ReadonlySet<string> {
    return new Set(this.#unlaunched.keys())
  }

  /** Claims that have not been launched for so long that decisions no longer wait for them. */
  get leftOut(): ReadonlySet<string> {
    return this.#leftOut
  }

  /**
   * Stops waiting for claims that the informer shows and that have had no instance for `longest`
   * (`docs/spec/cluster-state.md#when-state-is-complete`). Such a claim counts with what it requests, and the pods that
   * were planned for it keep it, so that nothing is bought twice. Returns the claims left out by this call.
   */
  leaveOutOverdue(longest: Milliseconds): readonly NodeClaim[] {
    const now = this.#deps.clock.now()
    const overdue: NodeClaim[] = []
    for (const [name, since] of [...this.#unlaunched]) {
      const claim = this.#nodeClaims.get(name)
      if (now - since < longest || claim === undefined || this.#unseen.has(name) || isLaunchPending(claim)) continue
      overdue.push(claim)
      this.#leftOut.add(name)
      this.#putClaim(claim)
    }
    return overdue
  }

  /**
   * Whether the pod was planned for a claim that is left out, or for a node or claim that cannot be read: it waits, so
   * that its capacity is not bought twice, until the object can be read, is launched or is gone.
   */
  waitsForLeftOut(pod: Pod): boolean {
    if (this.#leftOut.size + this.#unreadable.size === 0 && this.isolation.isEmpty) return false
    const target = this.placements.decidedTarget(pod)
    if (target === undefined) return false
    if (this.#leftOut.has(target) || this.#unreadable.has(target)) return true
    const node = this.byClaimName(target) ?? this.byNodeName(target)
    return node !== undefined && this.isolation.isSetAside('provisioning', this.viewOf(node))
  }

  /** Whether a pod on the node cannot be read: it must not be taken for empty. */
  hasUnreadablePods(node: StateNode): boolean {
    return node.node !== undefined && this.#podMirror.hasUnreadable(nameOf(node.node))
  }

  /** Whether the informer has shown a Node or NodeClaim of this name that cannot be read. */
  isUnreadable(name: string): boolean {
    return this.#unreadable.has(name)
  }

  /**
   * What decisions read of the node. Of one that cannot be read only that it is there: it takes no pods
   * (`docs/spec/isolation.md#nodes-and-nodeclaims`).
   */
  viewOf(node: StateNode): NodeState {
    const closed = this.#closedViews.get(node)
    if (closed?.version === node.version) return closed.view
    try {
      return node.view
    } catch (error) {
      const [object, kind] = node.node === undefined ? [node.claim, 'NodeClaim'] : [node.node, 'Node']
      this.isolation.report({ kind, stage: 'snapshot', object: object ?? node, error })
      const view = closedView(node)
      this.#closedViews.set(node, { version: node.version, view })
      this.#unreadable.add(view.name)
      if (view.nodeClaim !== undefined) this.#unreadable.add(view.nodeClaim)
      return view
    }
  }

  /** Applies a change of one object; what throws concerns this object alone. */
  #apart(kind: string, object: KubeObject | undefined, apply: () => void): void {
    if (object === undefined) return
    const name = ifReadable(() => object.metadata.name)
    try {
      apply()
      if (name !== undefined) this.#unreadable.delete(name)
    } catch (error) {
      this.isolation.report({ kind, stage: 'state', object, error })
      if (name !== undefined) this.#unreadable.add(name)
    }
  }

  /** A claim that cannot be read counts as a claim of its pool all the same: nothing is bought in its place. */
  #countUnreadable(claim: NodeClaim): void {
    const name = ifReadable(() => claim.metadata.name)
    if (name === undefined || !this.#unreadable.has(name)) return
    const owner = (): string | undefined =>
      claim.metadata.ownerReferences?.find(({ kind }) => kind === karpenterKinds.NodePool.kind)?.name
    const pool = ifReadable(() => claim.metadata.labels?.[labels.nodePool]) ?? ifReadable(owner)
    if (pool === undefined) return
    this.claims.put(pool, name, ifReadable(() => claim.metadata.deletionTimestamp) !== undefined)
  }

  /** Claims made by this process that the informer has not shown yet, with the time of their creation. */
  get unseen(): ReadonlyMap<string, Milliseconds> {
    return this.#unseen
  }

  /** Called whenever the last unlaunched claim got its instance or went. Returns the way to stop. */
  onAllLaunched(listener: () => void): () => void {
    this.#launchListeners.add(listener)
    return () => this.#launchListeners.delete(listener)
  }

  /** What the pool's nodes that stay amount to: capacities by resource, and `nodes`. */
  poolUsage(pool: string): Resources {
    const known = this.#usage.get(pool)
    if (known !== undefined) return known
    let sum: Resources = NOTHING
    for (const node of this.#members.get(pool) ?? []) {
      // A node that cannot be read uses its share all the same.
      const isLeaving = ifReadable(() => node.isMarkedForDeletion) ?? false
      if (!isLeaving) sum = addResources(sum, this.viewOf(node).capacity)
    }
    this.#usage.set(pool, sum)
    return sum
  }

  poolNodes(pool: string): Iterable<StateNode> {
    return this.#members.get(pool) ?? []
  }

  /** A claim that was just created, before the informer shows it: prevents a second launch for the same pods. */
  recordCreated(claim: NodeClaim): void {
    const name = nameOf(claim)
    if (this.#nodeClaims.get(name) !== undefined) return
    this.#unseen.set(name, this.#deps.clock.now())
    this.#putClaim(claim)
  }

  /** The API says that a claim recorded by `recordCreated` does not exist. */
  forgetUnseen(name: string): void {
    if (this.#unseen.has(name) && this.#nodeClaims.get(name) === undefined) this.#removeClaim(name)
  }

  /** These nodes will be deleted: they take no more pods, and their pods are scheduled elsewhere from now on. */
  markForDeletion(...providerIDs: readonly string[]): void {
    for (const id of providerIDs) {
      this.#touch(id, (node) => {
        node.marked = true
      })
      this.#recountClaim(id)
    }
  }

  unmarkForDeletion(...providerIDs: readonly string[]): void {
    for (const id of providerIDs) {
      this.#touch(id, (node) => {
        node.marked = false
      })
      this.#recountClaim(id)
    }
  }

  /** Pods are about to arrive: the node must not be disrupted for a while. */
  expectPods(providerID: string): void {
    if (!this.#byID.has(providerID)) return
    this.#version++
    const { clock, settings } = this.#deps
    this.placements.expectPods(providerID, clock.now() + Math.max(2 * settings.batchMaxDuration, 10_000))
  }

  /** Whether pods are about to arrive: a recent decision counts on the node, or a pending pod is nominated for it. */
  expectsPods(providerID: string): boolean {
    const node = this.#byID.get(providerID)
    if (node === undefined) return false
    return this.placements.expectsPodsUntil(providerID) > this.#deps.clock.now() || node.awaitedPod !== undefined
  }

  /** A claim was made for the pod: the pod goes there, or who has come, or will come, in its place. */
  assignToClaim(pod: Pod, claim: string): void {
    this.#podMirror.assignToClaim(pod, claim)
  }

  /** Called for each pod that takes over the place of one that left. Returns the way to stop. */
  onSuccession(listener: SuccessionListener): () => void {
    return this.#podMirror.onSuccession(listener)
  }

  bufferPodsOn(providerID: string): number {
    return this.#bufferPods.get(providerID) ?? 0
  }

  replaceBufferPodCounts(counts: ReadonlyMap<string, number>): void {
    this.#version++
    this.#bufferPods = new Map([...counts].filter(([, count]) => count > 0))
  }

  /** When something last changed that could make consolidation possible; moves by itself every five minutes. */
  consolidationState(): Milliseconds {
    const now = this.#deps.clock.now()
    if (now - this.#consolidation > CONSOLIDATION_EXPIRY) this.#consolidation = now
    return this.#consolidation
  }

  markUnconsolidated(): void {
    this.#version++
    // Two changes within a millisecond are two changes.
    this.#consolidation = Math.max(this.#deps.clock.now(), this.#consolidation + CHANGE)
  }

  /** A kubelet reports every few minutes that nothing is different: that is no change, in a large cluster many times a second. */
  #seeNode(before: Node | undefined, after: Node): void {
    const state = this.byNodeName(nameOf(after))
    if (before !== undefined && state?.node === before && isOnlyHeartbeat(before, after)) state.renewNode(after)
    else this.#putNode(after)
  }

  #putNode(node: Node): void {
    if (this.ignoresNode(node)) return
    const name = nameOf(node)
    const given = node.spec.providerID ?? ''
    const id = given === '' ? name : given
    const before = this.#idOfNode.get(name)
    if (before !== undefined && before !== id) this.#removeNode(name)
    this.#idOfNode.set(name, id)
    this.#touch(id, (state) => {
      state.node = node
      state.pods = this.pods.on(name)
    })
  }

  #removeNode(name: string): void {
    const id = this.#idOfNode.get(name)
    if (id === undefined) return
    this.#idOfNode.delete(name)
    this.#touch(id, (state) => {
      if (state.node === undefined || nameOf(state.node) !== name) return
      state.node = undefined
      state.pods = []
    })
  }

  #seeClaim(claim: NodeClaim): void {
    this.#unseen.delete(nameOf(claim))
    if (isManagedClaim(this.#deps.provider, claim)) this.#putClaim(claim)
  }

  #putClaim(claim: NodeClaim): void {
    this.#version++
    const name = nameOf(claim)
    const isLeaving = claim.metadata.deletionTimestamp !== undefined
    const joined = joinKeyOf(claim)
    if (joined !== '' || isLeaving) this.#leftOut.delete(name)
    const id = joined === '' && this.#leftOut.has(name) ? keyWithoutInstance(claim) : joined
    const before = this.#idOfClaim.get(name)
    if (before !== undefined && before !== '' && before !== id) this.#detachClaim(name, before)
    this.#idOfClaim.set(name, id)
    // A claim on its way out launches nothing any more, whatever holds it: it must not hold up everybody else.
    if (id !== '' || isLeaving) this.#launchedOrGone(name)
    else if (!this.#unlaunched.has(name)) this.#unlaunched.set(name, this.#deps.clock.now())
    const pool = claim.metadata.labels?.[labels.nodePool]
    if (id !== '') {
      this.#touch(id, (state) => {
        state.claim = claim
      })
    }
    const isDeleting = this.#byID.get(id)?.isMarkedForDeletion ?? isLeaving
    if (pool !== undefined) this.claims.put(pool, name, isDeleting)
  }

  #removeClaim(name: string): void {
    this.#unseen.delete(name)
    const id = this.#idOfClaim.get(name)
    if (id === undefined) return
    this.#version++
    this.#idOfClaim.delete(name)
    this.#leftOut.delete(name)
    this.claims.remove(name)
    if (id !== '') this.#detachClaim(name, id)
    this.#launchedOrGone(name)
  }

  #detachClaim(name: string, id: string): void {
    this.#touch(id, (state) => {
      if (state.claim !== undefined && nameOf(state.claim) === name) state.claim = undefined
    })
  }

  #launchedOrGone(name: string): void {
    if (!this.#unlaunched.delete(name) || this.#unlaunched.size > 0) return
    for (const listener of [...this.#launchListeners]) listener()
  }

  #recountClaim(id: string): void {
    const state = this.#byID.get(id)
    const pool = state?.claim?.metadata.labels?.[labels.nodePool]
    if (state?.claim === undefined || pool === undefined) return
    this.claims.put(pool, nameOf(state.claim), state.isMarkedForDeletion)
  }

  /** Applies a change to one state node and to everything that is counted over nodes. */
  #touch(id: string, change: (state: StateNode) => void): void {
    this.#version++
    let state = this.#byID.get(id)
    const existed = state !== undefined
    state ??= new StateNode(id)
    const before = { pool: state.nodePool, initialized: state.isInitialized, marked: state.isMarkedForDeletion }
    change(state)
    const exists = state.node !== undefined || state.claim !== undefined
    if (!existed && !exists) return
    if (exists) this.#byID.set(id, state)
    else {
      this.#byID.delete(id)
      this.placements.forgetNode(id)
    }
    const pool = exists ? state.nodePool : undefined
    if (before.pool !== undefined) {
      this.#usage.delete(before.pool)
      if (before.pool !== pool) this.#leavePool(before.pool, state)
    }
    if (pool !== undefined) {
      this.#usage.delete(pool)
      let members = this.#members.get(pool)
      if (members === undefined) {
        members = new Set()
        this.#members.set(pool, members)
      }
      members.add(state)
    }
    const isSame =
      existed === exists && before.initialized === state.isInitialized && before.marked === state.isMarkedForDeletion
    if (!isSame) this.markUnconsolidated()
  }

  #leavePool(pool: string, state: StateNode): void {
    const members = this.#members.get(pool)
    members?.delete(state)
    if (members?.size === 0) this.#members.delete(pool)
  }
}
