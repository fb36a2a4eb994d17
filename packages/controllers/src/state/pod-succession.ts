import { controllerOwner, isActive, type Pod } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { ExpectedPlaces } from '../pod/placement/expected-places.ts'
import type { Placements } from '../pod/placement/placements.ts'
import { Successions } from '../pod/placement/successions.ts'
import { isProvisionable, isReschedulable, isUntried } from '../pod/pod-predicates.ts'
import type { StateNode } from './state-node.ts'

/** The methods of cluster state that this file uses. */
export interface KnownNodes {
  byNodeName(name: string): StateNode | undefined
  byClaimName(name: string): StateNode | undefined
  tracksClaim(name: string): boolean
}

/** Called for a pod that takes over a place. `target` is a NodeClaim, or a Node without a NodeClaim. */
export type SuccessionListener = (pod: Pod, target: string) => void

/**
 * Assigns the places that were planned for pods of leaving nodes to the replacements of these pods (`pod/placement/successions.ts`).
 * Handles the events of the pod informer.
 */
export class PodSuccession {
  /** The places of expected pods. Their owners have not created them yet. */
  readonly expected = new ExpectedPlaces()
  readonly #successions = new Successions()
  readonly #placements: Placements
  readonly #nodes: KnownNodes
  readonly #clock: Clock
  readonly #listeners = new Set<SuccessionListener>()

  constructor(placements: Placements, nodes: KnownNodes, clock: Clock) {
    this.#placements = placements
    this.#nodes = nodes
    this.#clock = clock
  }

  /** Calls `listener` synchronously for each place that a pod takes over. Returns a function that unsubscribes it. */
  onTaken(listener: SuccessionListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Handles a change of a pod that still exists. */
  changed(before: Pod, after: Pod): void {
    if (isActive(before) && !isActive(after)) this.#leave(after, this.#placements.decidedTarget(after))
  }

  /**
   * Handles a pod that kube-scheduler has just bound, and ends its placement. `target` is the NodeClaim of the pod's node, or the Node if
   * it has no NodeClaim.
   */
  bound(pod: Pod, target: string): void {
    const planned = this.#placements.decidedTarget(pod)
    if (planned !== undefined && planned !== target) {
      this.expected.exchange(controllerOwner(pod)?.uid ?? '', pod, { taken: target, freed: planned })
    }
    this.#placements.forget(pod)
  }

  /** Handles a deleted pod, and ends its placement. */
  gone(pod: Pod): void {
    this.#leave(pod, this.#placements.decidedTarget(pod))
    this.#placements.forget(pod)
    this.#successions.gone(pod, this.#clock.now())
  }

  /**
   * Handles a pending pod without a place. Assigns it the place of a pod that left, or of an expected pod of its owner, unless the target
   * of that place is itself being removed.
   */
  came(pod: Pod): void {
    if ((!isUntried(pod) && !isProvisionable(pod)) || this.#placements.of(pod) !== undefined) return
    for (;;) {
      const target = this.#successions.take(pod, this.#clock.now()) ?? this.#takeExpected(pod)
      if (target === undefined) return
      if (!this.#stays(target)) continue
      this.#placements.assign(pod, target)
      for (const listener of [...this.#listeners]) listener(pod, target)
      return
    }
  }

  /**
   * Handles a claim that was created for a pod. `current` is the current version of the pod. If the pod has left its node in the meantime,
   * its replacement gets the place as soon as it exists.
   */
  claimMade(pod: Pod, claim: string, current: Pod | undefined, waiting: readonly Iterable<Pod>[]): void {
    if (current !== undefined && current.metadata.uid === pod.metadata.uid && isReschedulable(current)) {
      this.#placements.assign(pod, claim)
      return
    }
    this.#leave(pod, claim)
    this.offer(waiting)
  }

  /** Assigns the reserved places to pending pods. */
  offer(waiting: readonly Iterable<Pod>[]): void {
    for (const pods of waiting) for (const each of pods) this.came(each)
  }

  /** Returns the reserved targets for replacements in a pod family (`podFamily`), by the UID of the pod that left. */
  successorPlaces(family: string): ReadonlyMap<string, string> {
    return this.#successions.of(family, this.#clock.now())
  }

  /** See `ClusterState.moveSuccessor`. */
  moveSuccessor(left: string, target: string): void {
    this.#successions.move(left, target)
  }

  /** See `ClusterState.awaitsSuccessor`. */
  awaitsSuccessor(target: string): boolean {
    return this.#successions.has(target, this.#clock.now())
  }

  #takeExpected(pod: Pod): string | undefined {
    return this.expected.take(controllerOwner(pod)?.uid ?? '', pod, this.#clock.now(), (target) => this.#isUsed(target))
  }

  /** Returns whether any pod is planned for the target or runs on it. */
  #isUsed(target: string): boolean {
    if (this.#placements.to(target).length > 0) return true
    const node = this.#nodes.byClaimName(target) ?? this.#nodes.byNodeName(target)
    return (
      node?.claim === undefined || node.claim.status?.lastPodEventTime !== undefined || node.pods.some(isReschedulable)
    )
  }

  /**
   * Reserves the pod's place for its replacement if the pod's node is being removed. If the node stays, reserves nothing, because the plan
   * may be outdated.
   */
  #leave(pod: Pod, target: string | undefined): void {
    const { nodeName = '' } = pod.spec
    const isLeft = nodeName !== '' && this.#nodes.byNodeName(nodeName)?.isMarkedForDeletion !== false
    if (target === undefined || !isLeft) return
    this.#successions.leave(pod, target, this.#clock.now())
    this.#placements.forget(pod)
  }

  #stays(target: string): boolean {
    const node = this.#nodes.byClaimName(target) ?? this.#nodes.byNodeName(target)
    return node === undefined ? this.#nodes.tracksClaim(target) : !node.isMarkedForDeletion
  }
}
