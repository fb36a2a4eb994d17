import type { Milliseconds, Pod } from '@kerf/apis'
import { podFamily } from './pod-family.ts'

/** How long an owner may take to create its next pod. After that, the places of the owner's expected pods end. */
export const APPEARS_WITHIN: Milliseconds = 60_000

/** The planned places of pods that one owner has not created yet. */
interface OwnerPlaces {
  /** When the places end if the owner creates no further pod. */
  until: Milliseconds
  /** The places by the UID of the expected pod, in the order of planning. */
  readonly places: Map<string, { readonly family: string; readonly target: string }>
}

/**
 * Stores the places of expected pods: the capacity that a plan reserves for pods that do not exist yet
 * (`docs/spec/expected-pods.md#places`). When the owner creates a pod, the pod takes one of the owner's places. The target of a place is a
 * NodeClaim, or a Node without a NodeClaim.
 */
export class ExpectedPlaces {
  readonly #byOwner = new Map<string, OwnerPlaces>()
  readonly #byTarget = new Map<string, number>()
  /** The version of the places. Every change increases it. */
  version = 0

  /** Records that `pod` is planned for `target`. `pod` is an expected pod of the owner with the UID `owner`. */
  keep(owner: string, pod: Pod, target: string, now: Milliseconds): void {
    const family = podFamily(pod)
    const { uid } = pod.metadata
    if (family === undefined || uid === undefined) return
    let kept = this.#byOwner.get(owner)
    if (kept === undefined) {
      kept = { until: 0, places: new Map() }
      this.#byOwner.set(owner, kept)
    }
    const known = kept.places.get(uid)
    if (known?.target === target) return
    if (known !== undefined) this.#count(known.target, -1)
    if (known === undefined) kept.until = now + APPEARS_WITHIN
    kept.places.set(uid, { family, target })
    this.#count(target, 1)
  }

  /**
   * Assigns one of the owner's places to a new pod and returns its target, or undefined if there is no place. Prefers targets for which
   * `isUsed` is true, so that nodes that were launched ahead stay empty until they are needed. Extends the lifetime of the owner's other
   * places.
   */
  take(owner: string, pod: Pod, now: Milliseconds, isUsed: (target: string) => boolean): string | undefined {
    const kept = this.#byOwner.get(owner)
    if (kept === undefined) return undefined
    const family = podFamily(pod)
    const targets = new Map<string, string>()
    for (const [uid, place] of kept.places) {
      if (place.family !== family || targets.has(place.target)) continue
      targets.set(place.target, uid)
      if (isUsed(place.target)) break
    }
    const chosen = [...targets].find(([target]) => isUsed(target)) ?? [...targets][0]
    if (chosen === undefined) return undefined
    const [target, uid] = chosen
    this.#remove(owner, uid)
    kept.until = now + APPEARS_WITHIN
    return target
  }

  /** Returns whether the expected pod with this UID has a place. */
  has(owner: string, uid: string): boolean {
    return this.#byOwner.get(owner)?.places.has(uid) === true
  }

  /**
   * Moves a place of the owner from `taken` to `freed`. Call this if kube-scheduler bound the pod to `taken` although it was planned for
   * `freed`. Pods of the same family are interchangeable, so no new plan is needed.
   */
  exchange(owner: string, pod: Pod, { taken, freed }: { readonly taken: string; readonly freed: string }): void {
    const kept = this.#byOwner.get(owner)
    const family = podFamily(pod)
    for (const [uid, place] of kept?.places ?? []) {
      if (place.family !== family || place.target !== taken) continue
      kept?.places.set(uid, { ...place, target: freed })
      this.#count(taken, -1)
      this.#count(freed, 1)
      return
    }
  }

  /** Returns the targets of an owner's places, by the UID of the expected pod. */
  of(owner: string): ReadonlyMap<string, string> {
    return new Map(Array.from(this.#byOwner.get(owner)?.places ?? [], ([uid, { target }]) => [uid, target]))
  }

  /** Ends these places of an owner. */
  end(owner: string, uids: Iterable<string>): void {
    for (const uid of [...uids]) this.#remove(owner, uid)
  }

  /** Returns the number of expected pods that are planned for a NodeClaim, or for a Node without a NodeClaim. */
  count(target: string): number {
    return this.#byTarget.get(target) ?? 0
  }

  /** Returns when the places of an owner end, or undefined if it has none. */
  until(owner: string): Milliseconds | undefined {
    return this.#byOwner.get(owner)?.until
  }

  #remove(owner: string, uid: string): void {
    const kept = this.#byOwner.get(owner)
    const place = kept?.places.get(uid)
    if (kept === undefined || place === undefined) return
    kept.places.delete(uid)
    if (kept.places.size === 0) this.#byOwner.delete(owner)
    this.#count(place.target, -1)
  }

  #count(target: string, change: 1 | -1): void {
    this.version++
    const count = (this.#byTarget.get(target) ?? 0) + change
    if (count === 0) this.#byTarget.delete(target)
    else this.#byTarget.set(target, count)
  }
}
