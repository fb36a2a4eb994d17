import type { Milliseconds, Pod } from '@kerf/apis'
import { podKey } from '../pod-predicates.ts'

/** The progress of a placement's nomination. The nomination is the node name in the pod's `status.nominatedNodeName`. */
export interface NominationProgress {
  /** When this process first saw that the node accepted pods while the pod was still pending. */
  openAt: Milliseconds | undefined
  /** When the nomination was last written. */
  writtenAt: Milliseconds | undefined
  /** Whether the node already accepted pods when the nomination was written. */
  wasOpen: boolean
  /** Whether Kerf has stopped waiting for the pod to be bound to the node. Kerf decides this for all pods of a node together. */
  isGivenUp: boolean
  /** Whether kube-scheduler refused the pod on the open node before the pod was nominated. */
  wasTriedUnnamed: boolean
  /** How often kube-scheduler has cleared the nomination, as it does after each failed attempt, while the node accepted pods. */
  refusals: number
  /** When it first became certain that kube-scheduler had tried the open node and refused the pod there. */
  refusedAt: Milliseconds | undefined
  /** Since when the open node has lacked capacity for the pod, because other pods are bound there. */
  withoutCapacitySince: Milliseconds | undefined
}

/** The node for which a pod is planned. */
export interface Placement {
  readonly uid: string
  /** `namespace/name` */
  readonly pod: string
  /** The name of a NodeClaim, or of a Node without a NodeClaim. */
  readonly target: string
  /** `decided` if a pass of this process decided the placement. `adopted` if an earlier process nominated the pod for this Node. */
  readonly source: 'decided' | 'adopted'
  readonly nomination: NominationProgress
}

/** A change of a placement, in the form that informers use. A new placement has no `before`, and a placement that ended has no `after`. */
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
  withoutCapacitySince: undefined,
}
const podUid = (pod: Pod): string => pod.metadata.uid ?? ''

/**
 * The single store of planned placements, which map pods to the nodes where they are planned to run. Passes of the provisioner decide
 * placements. The next pass leaves each pod on its node if the pod still fits there. Otherwise, a different packing of the same pods could
 * launch additional nodes. The nomination controller observes the changes and writes them for kube-scheduler. A placement ends when the pod
 * is bound to any node, is deleted, or finds no node. Placements are kept in memory only. After a restart, Kerf adopts the placements of
 * pods whose status contains an existing node, and plans the other pods again.
 */
export class Placements {
  readonly #byPod = new Map<string, Placement>()
  readonly #byTarget = new Map<string, Set<string>>()
  readonly #expected = new Map<string, Milliseconds>()
  readonly #listeners = new Set<(change: PlacementChange) => void>()
  /** The version of the decided placements. Every change increases it. */
  version = 0

  /** Calls `listener` synchronously after every change. Returns a function that unsubscribes it. */
  onChange(listener: (change: PlacementChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Records that a pass has placed the pod on `target`. */
  assign(pod: Pod, target: string): void {
    const before = this.of(pod)
    const isSame = before?.target === target
    if (isSame && before.source === 'decided') return
    const known = isSame ? { openAt: before.nomination.openAt, wasOpen: before.nomination.wasOpen } : {}
    const nomination = { ...NEW, ...known }
    this.version++
    this.#put({ uid: podUid(pod), pod: podKey(pod), target, source: 'decided', nomination })
  }

  /** Records that an earlier process nominated the pod for this Node. Does nothing if the pod already has a placement. */
  adopt(pod: Pod, node: string): void {
    if (this.of(pod) !== undefined) return
    this.#put({ uid: podUid(pod), pod: podKey(pod), target: node, source: 'adopted', nomination: { ...NEW } })
  }

  of(pod: Pod): Placement | undefined {
    return this.#byPod.get(podUid(pod))
  }

  /** Returns the target that a pass decided for the pod, or undefined if there is none. */
  decidedTarget(pod: Pod): string | undefined {
    const placement = this.of(pod)
    return placement?.source === 'decided' ? placement.target : undefined
  }

  /** Returns the placements on a NodeClaim, or on a Node without a NodeClaim. */
  to(target: string): readonly Placement[] {
    return Array.from(this.#byTarget.get(target) ?? [], (uid) => this.#byPod.get(uid)).filter(
      (placement) => placement !== undefined,
    )
  }

  /** Returns every NodeClaim, and every Node without a NodeClaim, for which pods are planned. */
  targets(): readonly string[] {
    return [...this.#byTarget.keys()]
  }

  /** Ends the placement of a pod that was bound or deleted, or that found no node. */
  forget(pod: Pod): void {
    const before = this.of(pod)
    if (before === undefined) return
    this.#remove(before)
    if (before.source === 'decided') this.version++
    this.#emit({ before })
  }

  /** Returns a copy of all decided targets, by the UID of the pod. */
  snapshot(): ReadonlyMap<string, string> {
    const decided = new Map<string, string>()
    for (const { uid, target, source } of this.#byPod.values()) if (source === 'decided') decided.set(uid, target)
    return decided
  }

  /** The number of pending pods with a decided placement. */
  get size(): number {
    return this.snapshot().size
  }

  /** Records that pods are expected on the node with this provider ID until `until`. */
  expectPods(providerID: string, until: Milliseconds): void {
    this.#expected.set(providerID, until)
  }

  /** Returns the time until which pods are expected on the node, or 0 if none are. */
  expectsPodsUntil(providerID: string): Milliseconds {
    return this.#expected.get(providerID) ?? 0
  }

  /** Removes the data of a deleted node. */
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
