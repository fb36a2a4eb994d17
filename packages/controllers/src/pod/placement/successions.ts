import type { Milliseconds, Pod } from '@kerf/apis'
import { podFamily } from './pod-family.ts'

/** A new pod counts as the replacement of a pod that left its node at most this long ago. */
const COMES_WITHIN: Milliseconds = 20_000
interface Place {
  readonly family: string
  readonly target: string
  readonly leftAt: Milliseconds
}

/**
 * Stores the planned places of pods that have left their node, for the pods that replace them. The plan for a deleted node is about its
 * existing pods. Their owners then create new pods, and these run on the new nodes. Without this class, kube-scheduler would bind the new
 * pods to any node. They could take the capacity of other pods, and Kerf would launch another node.
 */
export class Successions {
  /** The places by the UID of the pod that left, the earliest first. */
  readonly #places = new Map<string, Place>()
  readonly #families = new Map<string, Set<string>>()

  /** Records that the pod, which is planned for `target`, is leaving its node. A repeated call starts the time limit again. */
  leave(pod: Pod, target: string, now: Milliseconds): void {
    this.#forgetOld(now)
    const family = podFamily(pod)
    const uid = pod.metadata.uid
    if (family === undefined || uid === undefined) return
    this.#places.delete(uid)
    this.#places.set(uid, { family, target, leftAt: now })
    const left = this.#families.get(family)
    if (left === undefined) this.#families.set(family, new Set([uid]))
    else left.add(uid)
  }

  /** Starts the time limit again when the pod is deleted, because some owners create the replacement only then. */
  gone({ metadata: { uid = '' } }: Pod, now: Milliseconds): void {
    const place = this.#places.get(uid)
    if (place === undefined) return
    this.#places.delete(uid)
    this.#places.set(uid, { ...place, leftAt: now })
  }

  /** Moves the place of the pod that left to another target. Its time limit does not change. */
  move(left: string, target: string): void {
    const place = this.#places.get(left)
    if (place !== undefined) this.#places.set(left, { ...place, target })
  }

  /** Returns the place that the pod takes over, or undefined if there is none. Each place is returned once. */
  take(pod: Pod, now: Milliseconds): string | undefined {
    this.#forgetOld(now)
    if (this.#places.size === 0) return undefined
    const [uid] = this.#families.get(podFamily(pod) ?? '') ?? []
    return uid === undefined ? undefined : this.#remove(uid)
  }

  /** Returns the places for replacements in a family of pods, by the UID of the pod that left. */
  of(family: string, now: Milliseconds): ReadonlyMap<string, string> {
    this.#forgetOld(now)
    const targets = new Map<string, string>()
    for (const uid of this.#families.get(family) ?? []) {
      const place = this.#places.get(uid)
      if (place !== undefined) targets.set(uid, place.target)
    }
    return targets
  }

  /** Returns whether a place on the target is reserved for a replacement. */
  has(target: string, now: Milliseconds): boolean {
    this.#forgetOld(now)
    return this.#places.values().some((place) => place.target === target)
  }

  #forgetOld(now: Milliseconds): void {
    for (const [uid, { leftAt }] of this.#places) {
      if (now - leftAt <= COMES_WITHIN) return
      this.#remove(uid)
    }
  }

  #remove(uid: string): string | undefined {
    const place = this.#places.get(uid)
    if (place === undefined) return undefined
    this.#places.delete(uid)
    const left = this.#families.get(place.family)
    left?.delete(uid)
    if (left?.size === 0) this.#families.delete(place.family)
    return place.target
  }
}
