import { labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { ClaimIndex } from './claim-index.ts'
import { claimJoinKey, isLaunchPending, keyWithoutInstance } from './join-key.ts'

/** The nodes that claims are joined to, by join key (`join-key.ts`). */
export interface JoinedNodes {
  /** Attaches a claim to the node with this key. */
  attachClaim(id: string, claim: NodeClaim): void
  /** Detaches the claim with this name from the node with this key. */
  detachClaim(id: string, name: string): void
  /** Returns whether the node with this key is marked for deletion, or undefined if there is no such node. */
  isMarkedForDeletion(id: string): boolean | undefined
  /** Called after each change of the claim with this name. */
  claimChanged(name: string): void
}

/** The methods of the NodeClaim informer that `ClaimMirror` uses. */
export interface ShownClaims {
  get(name: string): NodeClaim | undefined
}

/**
 * Tracks NodeClaims: the node that each claim is joined to, the claims without an instance, and the claims of this process that the
 * informer does not show yet. `ClusterState` reports every change to this class.
 */
export class ClaimMirror {
  readonly index = new ClaimIndex()
  readonly #clock: Pick<Clock, 'now'>
  readonly #shown: ShownClaims
  readonly #nodes: JoinedNodes
  /** The join key of each claim. `''` if nothing is known about the instance of the claim. */
  readonly #idOf = new Map<string, string>()
  /** Claims without an instance that decisions wait for, with the time since which they have been known. */
  readonly #unlaunched = new Map<string, Milliseconds>()
  /** Claims without an instance that decisions no longer wait for, because the launch took too long. */
  readonly #leftOut = new Set<string>()
  /** Claims that this process created and that the informer does not show yet, with the time of creation. */
  readonly #unseen = new Map<string, Milliseconds>()
  readonly #launchListeners = new Set<() => void>()
  #version = 0

  constructor(clock: Pick<Clock, 'now'>, shown: ShownClaims, nodes: JoinedNodes) {
    this.#clock = clock
    this.#shown = shown
    this.#nodes = nodes
  }

  /** The version of the claims. Every change increases it. */
  get version(): number {
    return this.#version
  }

  /** Returns whether a claim with this name is known, whether or not it is launched. */
  tracks(name: string): boolean {
    return this.#idOf.has(name)
  }

  /** Returns the key of the node that the claim is joined to, or `''` if the claim has no instance. */
  idOf(name: string): string {
    return this.#idOf.get(name) ?? ''
  }

  /** The names of the claims whose instance is not known yet. */
  get unlaunched(): ReadonlySet<string> {
    return new Set(this.#unlaunched.keys())
  }

  /** Returns whether the instance of the claim with this name is not known yet. */
  isUnlaunched(name: string): boolean {
    return this.#unlaunched.has(name)
  }

  /** The names of the claims that have lacked an instance for so long that decisions no longer wait for them. */
  get leftOut(): ReadonlySet<string> {
    return this.#leftOut
  }

  /** Claims that this process created and that the informer does not show yet, with the time of creation. */
  get unseen(): ReadonlyMap<string, Milliseconds> {
    return this.#unseen
  }

  /** Calls `listener` when the last claim without an instance gets one or is deleted. Returns a function that unsubscribes it. */
  onAllLaunched(listener: () => void): () => void {
    this.#launchListeners.add(listener)
    return () => this.#launchListeners.delete(listener)
  }

  /** See `ClusterState.leaveOutOverdue`. */
  leaveOutOverdue(longest: Milliseconds): readonly NodeClaim[] {
    const now = this.#clock.now()
    const overdue: NodeClaim[] = []
    for (const [name, since] of [...this.#unlaunched]) {
      const claim = this.#shown.get(name)
      if (now - since < longest || claim === undefined || this.#unseen.has(name) || isLaunchPending(claim)) continue
      overdue.push(claim)
      this.#leftOut.add(name)
      this.put(claim)
    }
    return overdue
  }

  /** Records a created claim, even if the informer does not show it yet. */
  created(claim: NodeClaim): void {
    const { name } = claim.metadata
    if (this.#shown.get(name) !== undefined) return
    this.#unseen.set(name, this.#clock.now())
    this.put(claim)
  }

  /** Removes a claim that this process created, because the API server has reported that it does not exist. */
  forgetUnseen(name: string): void {
    if (this.#unseen.has(name) && this.#shown.get(name) === undefined) this.remove(name)
  }

  /** Records that the informer has shown the claim. */
  seen(name: string): void {
    this.#unseen.delete(name)
  }

  /** Records the current version of a claim. */
  put(claim: NodeClaim): void {
    this.#version++
    const { name } = claim.metadata
    const isLeaving = claim.metadata.deletionTimestamp !== undefined
    const joined = claimJoinKey(claim)
    if (joined !== '' || isLeaving) this.#leftOut.delete(name)
    const id = joined === '' && this.#leftOut.has(name) ? keyWithoutInstance(claim) : joined
    const before = this.#idOf.get(name)
    if (before !== undefined && before !== '' && before !== id) this.#nodes.detachClaim(before, name)
    this.#idOf.set(name, id)
    // A claim that is being deleted will not get an instance, so decisions must not wait for it.
    if (id !== '' || isLeaving) this.#launchedOrGone(name)
    else if (!this.#unlaunched.has(name)) this.#unlaunched.set(name, this.#clock.now())
    const pool = claim.metadata.labels?.[labels.nodePool]
    if (id !== '') this.#nodes.attachClaim(id, claim)
    const isDeleting = this.#nodes.isMarkedForDeletion(id) ?? isLeaving
    if (pool !== undefined) this.index.put(pool, name, isDeleting)
    this.#nodes.claimChanged(name)
  }

  remove(name: string): void {
    this.#unseen.delete(name)
    const id = this.#idOf.get(name)
    if (id === undefined) return
    this.#version++
    this.#idOf.delete(name)
    this.#leftOut.delete(name)
    this.index.remove(name)
    if (id !== '') this.#nodes.detachClaim(id, name)
    this.#launchedOrGone(name)
    this.#nodes.claimChanged(name)
  }

  #launchedOrGone(name: string): void {
    if (!this.#unlaunched.delete(name) || this.#unlaunched.size > 0) return
    for (const listener of [...this.#launchListeners]) listener()
  }
}
