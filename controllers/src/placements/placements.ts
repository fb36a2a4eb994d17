import type { Milliseconds, Pod } from '@kerf/apis'
import { podKey } from '../pods/pod-predicates.ts'

/** How far a placement has been written for kube-scheduler, in the pod's `status.nominatedNodeName`. */
export interface NominationProgress {
  /** When the node was first seen open while the pod was still pending. */
  openAt: Milliseconds | undefined
  /** When the nomination was last written. */
  writtenAt: Milliseconds | undefined
  /** Whether the node was open when the nomination was written. */
  wasOpen: boolean
  /** It was decided, for the pods of a node together, that the node will not take the pod. */
  isGivenUp: boolean
  /** Before the pod had a name, kube-scheduler tried it in vain while the node was open to it. */
  wasTriedUnnamed: boolean
  /** How often kube-scheduler has taken the name of the open node away: each time an attempt had failed. */
  refusals: number
  /** When it was certain that the open node was among those that kube-scheduler tried in vain. */
  refusedAt: Milliseconds | undefined
  /** Since when the open node has had no room for the pod beside what is bound there. */
  withoutRoomSince: Milliseconds | undefined
}

/** Where a pod is going. */
export interface Placement {
  readonly uid: string
  /** `namespace/name` */
  readonly pod: string
  /** The name of a NodeClaim, or of a Node that has none. */
  readonly target: string
  /** `decided`: by a pass of this process. `adopted`: an earlier process had nominated the pod for a Node of that name. */
  readonly source: 'decided' | 'adopted'
  readonly nomination: NominationProgress
}

/** As an informer reports: `before` is absent for a new placement, `after` for one that ended. */
export interface PlacementChange {
  readonly before?: Placement
  readonly after?: Placement
}

const NEW: NominationProgress = {
  openAt: undefined,
  writtenAt: undefined,
  wasOpen: false,
  isGivenUp: false,
  wasTriedUnnamed: false,
  refusals: 0,
  refusedAt: undefined,
  withoutRoomSince: undefined,
}
const uidOf = (pod: Pod): string => pod.metadata.uid ?? ''

/**
 * Where pods are going: the one memory of it. Passes of the provisioner decide placements, and the next pass leaves a pod
 * where it is while it fits, so that another packing of the same pods buys no more nodes. Nomination observes changes and
 * writes them for kube-scheduler. A placement ends when the pod is bound, wherever to, is gone, or finds no place.
 *
 * Kept in memory only. After a restart, pods whose node is there already are known by their status and adopted; the others
 * are placed anew.
 */
export class Placements {
  readonly #byPod = new Map<string, Placement>()
  readonly #byTarget = new Map<string, Set<string>>()
  readonly #expected = new Map<string, Milliseconds>()
  readonly #listeners = new Set<(change: PlacementChange) => void>()
  /** Rises with every change of what was decided. */
  version = 0

  /** Called for every change, in the same turn. Returns the way to stop. */
  onChange(listener: (change: PlacementChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A pass decided that the pod goes there. */
  assign(pod: Pod, target: string): void {
    const before = this.of(pod)
    const isSame = before?.target === target
    if (isSame && before.source === 'decided') return
    const known = isSame ? { openAt: before.nomination.openAt, wasOpen: before.nomination.wasOpen } : {}
    const nomination = { ...NEW, ...known }
    this.version++
    this.#put({ uid: uidOf(pod), pod: podKey(pod), target, source: 'decided', nomination })
  }

  /** An earlier process nominated the pod for this Node. Says nothing where a pass has decided since. */
  adopt(pod: Pod, node: string): void {
    if (this.of(pod) !== undefined) return
    this.#put({ uid: uidOf(pod), pod: podKey(pod), target: node, source: 'adopted', nomination: { ...NEW } })
  }

  of(pod: Pod): Placement | undefined {
    return this.#byPod.get(uidOf(pod))
  }

  /** What a pass decided for the pod. */
  decidedTarget(pod: Pod): string | undefined {
    const placement = this.of(pod)
    return placement?.source === 'decided' ? placement.target : undefined
  }

  /** The pods that go to a NodeClaim, or to a Node that has none. */
  to(target: string): readonly Placement[] {
    return Array.from(this.#byTarget.get(target) ?? [], (uid) => this.#byPod.get(uid)).filter(
      (placement) => placement !== undefined,
    )
  }

  /** Every NodeClaim, and every Node that has none, that a pod goes to. */
  targets(): readonly string[] {
    return [...this.#byTarget.keys()]
  }

  /** The pod is bound, found no place, or is gone. */
  forget(pod: Pod): void {
    const before = this.of(pod)
    if (before === undefined) return
    this.#remove(before)
    if (before.source === 'decided') this.version++
    this.#emit({ before })
  }

  /** What was decided, by the pod's uid, as it is now. */
  snapshot(): ReadonlyMap<string, string> {
    const decided = new Map<string, string>()
    for (const { uid, target, source } of this.#byPod.values()) if (source === 'decided') decided.set(uid, target)
    return decided
  }

  /** How many pods a pass has decided on that are still pending. */
  get size(): number {
    return this.snapshot().size
  }

  /** A decision counts on the node with this provider ID: pods are about to arrive. */
  expectPods(providerID: string, until: Milliseconds): void {
    this.#expected.set(providerID, until)
  }

  /** Until when pods are expected on the node; 0 where none were. */
  expectsPodsUntil(providerID: string): Milliseconds {
    return this.#expected.get(providerID) ?? 0
  }

  /** The node is gone. */
  forgetNode(providerID: string): void {
    this.#expected.delete(providerID)
  }

  #put(after: Placement): void {
    const before = this.#byPod.get(after.uid)
    if (before !== undefined) this.#remove(before)
    this.#byPod.set(after.uid, after)
    const pods = this.#byTarget.get(after.target)
    if (pods === undefined) this.#byTarget.set(after.target, new Set([after.uid]))
    else pods.add(after.uid)
    this.#emit(before === undefined ? { after } : { before, after })
  }

  #remove({ uid, target }: Placement): void {
    this.#byPod.delete(uid)
    const pods = this.#byTarget.get(target)
    pods?.delete(uid)
    if (pods?.size === 0) this.#byTarget.delete(target)
  }

  #emit(change: PlacementChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }
}
