import { labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { ClaimLedger } from './claim-ledger.ts'
import { isLaunchPending, joinKeyOf, keyWithoutInstance } from './join-key.ts'

/** The nodes that claims are joined to, by the key of `join-key.ts`. */
export interface JoinedNodes {
  /** The node with this key has this claim. */
  attachClaim(id: string, claim: NodeClaim): void
  /** The node with this key no longer has the claim of this name. */
  detachClaim(id: string, name: string): void
  /** Whether the node with this key is marked for deletion; undefined if there is none. */
  isMarkedForDeletion(id: string): boolean | undefined
}

/** What is needed of the informer of NodeClaims. */
export interface ShownClaims {
  get(name: string): NodeClaim | undefined
}

/**
 * The NodeClaims' side of the mirror: what each claim is joined to, which claims have no instance yet, and those that this process
 * created and the informer has not shown. `ClusterState` tells it of every change.
 */
export class ClaimMirror {
  readonly ledger = new ClaimLedger()
  readonly #clock: Pick<Clock, 'now'>
  readonly #shown: ShownClaims
  readonly #nodes: JoinedNodes
  /** `''` while nobody knows what the claim's instance will be. */
  readonly #idOf = new Map<string, string>()
  /** Claims without an instance that decisions wait for, with the time since when they are known. */
  readonly #unlaunched = new Map<string, Milliseconds>()
  /** Claims without an instance that decisions no longer wait for. */
  readonly #leftOut = new Set<string>()
  /** Created by this process and not yet seen by the informer, with the time of creation. */
  readonly #unseen = new Map<string, Milliseconds>()
  readonly #launchListeners = new Set<() => void>()
  #version = 0

  constructor(clock: Pick<Clock, 'now'>, shown: ShownClaims, nodes: JoinedNodes) {
    this.#clock = clock
    this.#shown = shown
    this.#nodes = nodes
  }

  /** Rises with every change of a claim. */
  get version(): number {
    return this.#version
  }

  /** Whether a claim of this name is followed, launched or not. */
  tracks(name: string): boolean {
    return this.#idOf.has(name)
  }

  /** The key of the node that the claim is joined to; `''` without an instance. */
  idOf(name: string): string {
    return this.#idOf.get(name) ?? ''
  }

  /** Claims of which nobody knows yet what their instance will be. */
  get unlaunched(): ReadonlySet<string> {
    return new Set(this.#unlaunched.keys())
  }

  /** Claims that have not been launched for so long that decisions no longer wait for them. */
  get leftOut(): ReadonlySet<string> {
    return this.#leftOut
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

  /** A claim was created that the informer may not have shown yet. */
  created(claim: NodeClaim): void {
    const { name } = claim.metadata
    if (this.#shown.get(name) !== undefined) return
    this.#unseen.set(name, this.#clock.now())
    this.put(claim)
  }

  /** The API says that a claim that was created does not exist. */
  forgetUnseen(name: string): void {
    if (this.#unseen.has(name) && this.#shown.get(name) === undefined) this.remove(name)
  }

  /** The informer has shown the claim. */
  seen(name: string): void {
    this.#unseen.delete(name)
  }

  /** The claim as it is now. */
  put(claim: NodeClaim): void {
    this.#version++
    const { name } = claim.metadata
    const isLeaving = claim.metadata.deletionTimestamp !== undefined
    const joined = joinKeyOf(claim)
    if (joined !== '' || isLeaving) this.#leftOut.delete(name)
    const id = joined === '' && this.#leftOut.has(name) ? keyWithoutInstance(claim) : joined
    const before = this.#idOf.get(name)
    if (before !== undefined && before !== '' && before !== id) this.#nodes.detachClaim(before, name)
    this.#idOf.set(name, id)
    // A claim on its way out launches nothing any more, whatever holds it: it must not hold up everybody else.
    if (id !== '' || isLeaving) this.#launchedOrGone(name)
    else if (!this.#unlaunched.has(name)) this.#unlaunched.set(name, this.#clock.now())
    const pool = claim.metadata.labels?.[labels.nodePool]
    if (id !== '') this.#nodes.attachClaim(id, claim)
    const isDeleting = this.#nodes.isMarkedForDeletion(id) ?? isLeaving
    if (pool !== undefined) this.ledger.put(pool, name, isDeleting)
  }

  remove(name: string): void {
    this.#unseen.delete(name)
    const id = this.#idOf.get(name)
    if (id === undefined) return
    this.#version++
    this.#idOf.delete(name)
    this.#leftOut.delete(name)
    this.ledger.remove(name)
    if (id !== '') this.#nodes.detachClaim(id, name)
    this.#launchedOrGone(name)
  }

  #launchedOrGone(name: string): void {
    if (!this.#unlaunched.delete(name) || this.#unlaunched.size > 0) return
    for (const listener of [...this.#launchListeners]) listener()
  }
}
