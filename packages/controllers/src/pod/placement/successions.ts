import type { Milliseconds, Pod } from '@kerf/apis'
import { podFamily } from './pod-family.ts'

/** The maximum time between the moment when a pod leaves its node and the creation of its replacement. */
const COMES_WITHIN: Milliseconds = 20_000
interface Place {
  readonly family: string
  readonly target: string
  readonly leftAt: Milliseconds
}

/**
 * Stores the planned places of pods that have left their node, and assigns them to the replacements of these pods. The plan for a deleted
 * node covers its existing pods, but the pods that later run on the new nodes are replacements that the owners create. Without this class,
 * kube-scheduler would bind the replacements to any node. They could take the capacity of other pods, and Kerf would launch another node.
 */
export class Successions {
  /** The places by the UID of the pod that left, oldest first. */
  readonly #places = new Map<string, Place>()
  readonly #families = new Map<string, Set<string>>()

  /** Records that the pod is leaving its node and is planned for `target`. A repeated call restarts the time limit. */
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

  /** Restarts the time limit when the pod is deleted, because some owners create the replacement only then. */
  gone({ metadata: { uid = '' } }: Pod, now: Milliseconds): void {
    const place = this.#places.get(uid)
    if (place === undefined) return
    this.#places.delete(uid)
    this.#places.set(uid, { ...place, leftAt: now })
  }

  /** Changes the target of the place of the pod that left. Its time limit does not change. */
  move(left: string, target: string): void {
    const place = this.#places.get(left)
    if (place !== undefined) this.#places.set(left, { ...place, target })
  }

  /** Assigns a place to the pod and returns its target, or undefined if there is none. Each place is assigned once. */
  take(pod: Pod, now: Milliseconds): string | undefined {
    this.#forgetOld(now)
    if (this.#places.size === 0) return undefined
    const [uid] = this.#families.get(podFamily(pod) ?? '') ?? []
    return uid === undefined ? undefined : this.#remove(uid)
  }

  /** Returns the reserved targets of a pod family, by the UID of the pod that left. */
  of(family: string, now: Milliseconds): ReadonlyMap<string, string> {
    this.#forgetOld(now)
    const targets = new Map<string, string>()
    for (const uid of this.#families.get(family) ?? []) {
      const place = this.#places.get(uid)
      if (place !== undefined) targets.set(uid, place.target)
    }
    return targets
  }

  /** Returns whether the target has a place that is reserved for a replacement. */
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
