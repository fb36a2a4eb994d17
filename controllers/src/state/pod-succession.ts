import { isActive, type Pod } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Placements } from '../placements/placements.ts'
import { Successions } from '../placements/successions.ts'
import { isProvisionable, isReschedulable, isUntried } from '../pods/pod-predicates.ts'
import type { StateNode } from './state-node.ts'

/** What the mirror knows of nodes and claims. */
export interface KnownNodes {
  byNodeName(name: string): StateNode | undefined
  byClaimName(name: string): StateNode | undefined
  tracksClaim(name: string): boolean
}

/** Called for a pod that takes over a place, with the NodeClaim, or the Node that has none, that it goes to. */
export type SuccessionListener = (pod: Pod, target: string) => void

/**
 * Hands the places that were planned for pods of leaving nodes on to those that come instead (`placements/successions.ts`), as
 * the pod informer tells of them.
 */
export class PodSuccession {
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

  /** Calls in the same turn, once for each place that is taken over. Returns the way to stop. */
  onTaken(listener: SuccessionListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Another state of a pod that goes on. */
  changed(before: Pod, after: Pod): void {
    if (isActive(before) && !isActive(after)) this.#leave(after, this.#placements.decidedTarget(after))
  }

  /** The pod is gone, and its placement with it. */
  gone(pod: Pod): void {
    this.#leave(pod, this.#placements.decidedTarget(pod))
    this.#placements.forget(pod)
    this.#successions.gone(pod, this.#clock.now())
  }

  /** A pod that waits and has no place yet takes the one of a pod that left, unless that target goes itself. */
  came(pod: Pod): void {
    if ((!isUntried(pod) && !isProvisionable(pod)) || this.#placements.of(pod) !== undefined) return
    for (;;) {
      const target = this.#successions.take(pod, this.#clock.now())
      if (target === undefined) return
      if (!this.#stays(target)) continue
      this.#placements.assign(pod, target)
      for (const listener of [...this.#listeners]) listener(pod, target)
      return
    }
  }

  /**
   * A claim was made for the pod, which is `current` by now. Has it left its node meanwhile, the claim is for who comes, or is
   * among those who wait, in its place.
   */
  claimMade(pod: Pod, claim: string, current: Pod | undefined, waiting: readonly Iterable<Pod>[]): void {
    if (current !== undefined && current.metadata.uid === pod.metadata.uid && isReschedulable(current)) {
      this.#placements.assign(pod, claim)
      return
    }
    this.#leave(pod, claim)
    for (const pods of waiting) for (const each of pods) this.came(each)
  }

  /** Only what was planned because the node goes: of a node that stays, the plan may be an old one. */
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
