import { karpenterKinds, kinds, labels, type Milliseconds, type Node, type NodeClaim, type Pod } from '@kerf/apis'
import type { NodeState, Resources } from '@kerf/engine'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { OtherAutoscalers } from '../modes/coexistence/other-autoscalers.ts'
import { isManagedClaim } from '../nodeclaim/ownership.ts'
import type { ExpectedPlaces } from '../pod/placement/expected-places.ts'
import type { Placements } from '../pod/placement/placements.ts'
import type { RefusedPods } from '../pod/placement/refused-pods.ts'
import { Ceilings } from './ceilings/ceilings.ts'
import type { ClaimIndex } from './claim-index.ts'
import { ClaimMirror } from './claim-mirror.ts'
import { Commitments } from './commitments/commitments.ts'
import { ifReadable } from './isolation/if-readable.ts'
import { type Isolation, processIsolation } from './isolation/isolation.ts'
import { JoinedNodes } from './joined-nodes.ts'
import type { PodIndex } from './pod-index.ts'
import { PodMirror } from './pod-mirror.ts'
import type { SuccessionListener } from './pod-succession.ts'
import type { PodTimings } from './pod-timings.ts'
import { PoolPolicies } from './pool-policies/pool-policies.ts'
import type { StateNode } from './state-node.ts'
import { UnreadableObjects } from './unreadable-objects.ts'

/** How soon consolidation searches again if nothing changes. */
const CONSOLIDATION_EXPIRY: Milliseconds = 300_000
/** One microsecond. It distinguishes changes that happen in the same millisecond. */
const CHANGE: Milliseconds = 0.001

/** The dependencies of cluster state. */
export type StateDeps = Pick<
  Deps,
  'client' | 'clock' | 'informers' | 'log' | 'metrics' | 'nodeGroupLabels' | 'provider' | 'settings'
>

/** The dependencies of cluster state that need no calls to the API server. */
export type MirrorDeps = Omit<StateDeps, 'client'>

const objectName = (object: Node | NodeClaim): string => object.metadata.name ?? ''

/**
 * The cluster in memory (`docs/spec/cluster-state.md`): every Node and every launched NodeClaim, joined by provider ID, with their pods.
 * Changes of the informers are applied synchronously, so cluster state is never older than the informers. It includes Kerf's own decisions
 * before the API server shows them: created claims, nodes marked for deletion, and nominations.
 */
export class ClusterState {
  readonly pods: PodIndex
  readonly claims: ClaimIndex
  readonly placements: Placements
  /** The places of expected pods. Their owners have not created them yet. */
  readonly expectedPlaces: ExpectedPlaces
  readonly refusedPods: RefusedPods
  readonly timings: PodTimings
  readonly others: OtherAutoscalers
  readonly isolation: Isolation
  readonly #deps: MirrorDeps
  readonly #podMirror: PodMirror
  readonly #claimMirror: ClaimMirror
  readonly #nodes: Informer<Node>
  readonly #nodeClaims: Informer<NodeClaim>
  readonly #joined: JoinedNodes
  /** The ceilings of the ClusterPolicy, and how much of them the nodes use. */
  readonly ceilings: Ceilings
  /** The commitments of the ClusterPolicy, and the nodes that use them. */
  readonly commitments: Commitments
  /** The NodePoolPolicies, and their effect on decisions. */
  readonly poolPolicies: PoolPolicies
  readonly #unreadable: UnreadableObjects
  /**
   * The number of virtual pods of CapacityBuffers on each node, by provider ID. Their only effect is that their node does not count as
   * empty.
   */
  #bufferPods: ReadonlyMap<string, number> = new Map()
  #consolidation: Milliseconds
  #version = 0

  constructor(deps: MirrorDeps, others = new OtherAutoscalers(deps)) {
    this.#deps = deps
    this.others = others
    this.isolation = processIsolation(deps)
    this.#unreadable = new UnreadableObjects(this.isolation)
    this.#joined = new JoinedNodes({
      viewOf: (node) => this.viewOf(node),
      podsOn: (name) => this.pods.on(name),
      changing: (id) => {
        this.#version++
        this.ceilings.nodeChanged(id)
      },
      unconsolidated: () => this.markUnconsolidated(),
      gone: (id) => this.placements.forgetNode(id),
    })
    this.ceilings = new Ceilings(deps, this)
    this.commitments = new Commitments(deps, this)
    this.poolPolicies = new PoolPolicies(deps, this)
    this.#nodes = deps.informers.of(kinds.Node)
    this.#nodeClaims = deps.informers.of(karpenterKinds.NodeClaim)
    this.#podMirror = new PodMirror(deps, this)
    this.#claimMirror = new ClaimMirror(deps.clock, this.#nodeClaims, {
      attachClaim: (id, claim) =>
        this.#joined.change(id, (state) => {
          state.claim = claim
        }),
      detachClaim: (id, name) =>
        this.#joined.change(id, (state) => {
          if (state.claim !== undefined && objectName(state.claim) === name) state.claim = undefined
        }),
      isMarkedForDeletion: (id) => this.#joined.byProviderID(id)?.isMarkedForDeletion,
      claimChanged: (name) => this.ceilings.claimChanged(name),
    })
    this.claims = this.#claimMirror.index
    this.pods = this.#podMirror.index
    this.placements = this.#podMirror.placements
    this.expectedPlaces = this.#podMirror.expectedPlaces
    this.refusedPods = this.#podMirror.refusedPods
    this.timings = this.#podMirror.timings
    this.#consolidation = deps.clock.now()
  }

  /** Reads the instance types that ceilings and commitments depend on. Must be called before each decision. */
  async loadPolicies(signal: AbortSignal): Promise<void> {
    await this.ceilings.load(signal)
    await this.commitments.load(signal)
  }

  /** Subscribes to the informers. Must be called before the informers run. Returns a function that unsubscribes. */
  follow(): () => void {
    const { informers } = this.#deps
    const generations = new Map<string, number>()
    const stops = [
      this.#podMirror.follow(),
      this.#nodes.onChange(({ before, after }) => {
        this.#unreadable.apart('Node', after ?? before, () => {
          if (after !== undefined) this.#joined.see(before, after)
          else if (before !== undefined) this.#joined.remove(objectName(before))
        })
      }),
      this.#nodeClaims.onChange(({ before, after }) => {
        this.#unreadable.apart('NodeClaim', after ?? before, () => {
          if (after !== undefined) this.#seeClaim(after)
          else if (before !== undefined) this.#claimMirror.remove(objectName(before))
        })
        if (after !== undefined) this.#countUnreadable(after)
      }),
      informers.of(karpenterKinds.NodePool).onChange(({ before, after }) => {
        this.#unreadable.apart('NodePool', after ?? before, () => {
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

  /** A version that increases with every change of nodes, claims and pods, and with every decision about them. */
  get version(): number {
    return this.#version + this.#claimMirror.version + this.#podMirror.version
  }

  /** Returns every node and every launched claim. */
  nodes(): Iterable<StateNode> {
    return this.#joined.values()
  }

  get nodeCount(): number {
    return this.#joined.size
  }

  byProviderID(providerID: string): StateNode | undefined {
    return this.#joined.byProviderID(providerID)
  }

  byNodeName(name: string): StateNode | undefined {
    return this.#joined.byNodeName(name)
  }

  byClaimName(name: string): StateNode | undefined {
    return this.#joined.byProviderID(this.#claimMirror.idOf(name))
  }

  /** Returns whether a Node with this name is known. */
  tracksNode(name: string): boolean {
    return this.#joined.tracks(name)
  }

  tracksClaim(name: string): boolean {
    return this.#claimMirror.tracks(name)
  }

  /** The names of claims whose instance is not known yet. While there are such claims, a decision may launch too much. */
  get unlaunched(): ReadonlySet<string> {
    return this.#claimMirror.unlaunched
  }

  /** Returns whether the instance of the claim with this name is not known yet. */
  isUnlaunched(claim: string): boolean {
    return this.#claimMirror.isUnlaunched(claim)
  }

  /** The names of the claims that have lacked an instance for so long that decisions no longer wait for them. */
  get leftOut(): ReadonlySet<string> {
    return this.#claimMirror.leftOut
  }

  /**
   * Stops decisions from waiting for claims that the informer shows and that have lacked an instance for at least `longest`
   * (`docs/spec/cluster-state.md#when-state-is-complete`). Cluster state still includes these claims with the capacity that they request,
   * and the pods planned for them keep their place, so that no capacity is launched twice. Returns the claims to which this call applied.
   */
  leaveOutOverdue(longest: Milliseconds): readonly NodeClaim[] {
    return this.#claimMirror.leaveOutOverdue(longest)
  }

  /**
   * Returns whether the pod is planned for a claim that decisions no longer wait for, or for a node or claim that cannot be read. Kerf
   * plans such a pod again only after the object is readable, launched or deleted. Otherwise, its capacity would be launched twice.
   */
  waitsForLeftOut(pod: Pod): boolean {
    if (this.leftOut.size === 0 && this.#unreadable.isEmpty && this.isolation.isEmpty) return false
    const target = this.placements.decidedTarget(pod)
    if (target === undefined) return false
    if (this.leftOut.has(target) || this.#unreadable.has(target)) return true
    const node = this.byClaimName(target) ?? this.byNodeName(target)
    return node !== undefined && this.isolation.isSetAside('provisioning', this.viewOf(node))
  }

  /** Returns whether any pod on the node cannot be read. Such a node must not count as empty. */
  hasUnreadablePods(node: StateNode): boolean {
    return node.node !== undefined && this.#podMirror.hasUnreadable(objectName(node.node))
  }

  /** Returns whether the informer has an unreadable Node or NodeClaim of this name. */
  isUnreadable(name: string): boolean {
    return this.#unreadable.has(name)
  }

  /**
   * Returns the view of the node that decisions use. If the node cannot be read, the view only shows that the node exists and accepts no
   * pods (`docs/spec/isolation.md#nodes-and-nodeclaims`).
   */
  viewOf(node: StateNode): NodeState {
    return this.#unreadable.viewOf(node)
  }

  /** Counts an unreadable claim as a claim of its pool, so that Kerf does not launch another claim in its place. */
  #countUnreadable(claim: NodeClaim): void {
    const name = ifReadable(() => claim.metadata.name)
    if (name === undefined || !this.#unreadable.has(name)) return
    const owner = (): string | undefined =>
      claim.metadata.ownerReferences?.find(({ kind }) => kind === karpenterKinds.NodePool.kind)?.name
    const pool = ifReadable(() => claim.metadata.labels?.[labels.nodePool]) ?? ifReadable(owner)
    if (pool === undefined) return
    this.claims.put(pool, name, ifReadable(() => claim.metadata.deletionTimestamp) !== undefined)
  }

  /** Claims that this process created and that the informer does not show yet, with the time of creation. */
  get unseen(): ReadonlyMap<string, Milliseconds> {
    return this.#claimMirror.unseen
  }

  /** Calls `listener` when the last claim without an instance gets one or is deleted. Returns a function that unsubscribes it. */
  onAllLaunched(listener: () => void): () => void {
    return this.#claimMirror.onAllLaunched(listener)
  }

  /**
   * Returns the total capacity of the pool's nodes by resource, and their number as `nodes`. Excludes nodes that are marked for deletion.
   */
  poolUsage(pool: string): Resources {
    return this.#joined.poolUsage(pool)
  }

  poolNodes(pool: string): Iterable<StateNode> {
    return this.#joined.poolNodes(pool)
  }

  /** Records a created claim before the informer shows it, so that Kerf launches nothing else for the same pods. */
  recordCreated(claim: NodeClaim): void {
    this.#claimMirror.created(claim)
  }

  /** Removes a claim that `recordCreated` recorded, because the API server has reported that it does not exist. */
  forgetUnseen(name: string): void {
    this.#claimMirror.forgetUnseen(name)
  }

  /** Marks nodes that will be deleted. From now on, they accept no more pods, and their pods need other nodes. */
  markForDeletion(...providerIDs: readonly string[]): void {
    for (const id of providerIDs) {
      this.#joined.change(id, (node) => {
        node.marked = true
      })
      this.#recountClaim(id)
    }
  }

  unmarkForDeletion(...providerIDs: readonly string[]): void {
    for (const id of providerIDs) {
      this.#joined.change(id, (node) => {
        node.marked = false
      })
      this.#recountClaim(id)
    }
  }

  /** Records that pods will soon be bound to the node, which protects the node from disruption for a while. */
  expectPods(providerID: string): void {
    if (this.#joined.byProviderID(providerID) === undefined) return
    this.#version++
    const { clock, settings } = this.#deps
    this.placements.expectPods(providerID, clock.now() + Math.max(2 * settings.batchMaxDuration, 10_000))
  }

  /**
   * Returns whether pods will soon be bound to the node: a recent decision expects them, a pending pod is nominated for the node, or an
   * expected pod is planned for it.
   */
  expectsPods(providerID: string): boolean {
    const node = this.#joined.byProviderID(providerID)
    if (node === undefined) return false
    return (
      this.placements.expectsPodsUntil(providerID) > this.#deps.clock.now() ||
      node.awaitedPod !== undefined ||
      this.expectedPlaces.count(node.claim?.metadata.name ?? node.name) > 0
    )
  }

  /** Records that a claim was created for the pod. The claim becomes the planned place of the pod or of its replacement. */
  assignToClaim(pod: Pod, claim: string): void {
    this.#podMirror.assignToClaim(pod, claim)
  }

  /** Returns the reserved targets for replacements in a pod family (`podFamily`), by the UID of the pod that left. */
  successorPlaces(family: string): ReadonlyMap<string, string> {
    return this.#podMirror.successorPlaces(family)
  }

  /** Changes the target of the place for the replacement of the pod with the UID `left`. */
  moveSuccessor(left: string, target: string): void {
    this.#podMirror.moveSuccessor(left, target)
  }

  /** Returns whether the target has a place that is reserved for the replacement of a pod that left. */
  awaitsSuccessor(target: string): boolean {
    return this.#podMirror.awaitsSuccessor(target)
  }

  /** Assigns the places of expected pods to pods that have been created in the meantime. */
  offerExpectedPlaces(): void {
    this.#podMirror.offerExpectedPlaces()
  }

  /** Calls `listener` for each pod that takes over the place of a pod that left. Returns a function that unsubscribes it. */
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

  /**
   * Returns a version in the form of a time. It changes with every change that could make a consolidation possible, and every five minutes
   * even without a change.
   */
  consolidationState(): Milliseconds {
    const now = this.#deps.clock.now()
    if (now - this.#consolidation > CONSOLIDATION_EXPIRY) this.#consolidation = now
    return this.#consolidation
  }

  markUnconsolidated(): void {
    this.#version++
    // Changes in the same millisecond must have different times.
    this.#consolidation = Math.max(this.#deps.clock.now(), this.#consolidation + CHANGE)
  }

  #seeClaim(claim: NodeClaim): void {
    this.#claimMirror.seen(objectName(claim))
    if (isManagedClaim(this.#deps.provider, claim)) this.#claimMirror.put(claim)
  }

  #recountClaim(id: string): void {
    const state = this.#joined.byProviderID(id)
    const pool = state?.claim?.metadata.labels?.[labels.nodePool]
    if (state?.claim === undefined || pool === undefined) return
    this.claims.put(pool, objectName(state.claim), state.isMarkedForDeletion)
  }
}
