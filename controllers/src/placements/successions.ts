import type { Milliseconds, Pod } from '@kerf/apis'
import { podFamily } from './pod-family.ts'

/** A pod that did not come in this time is not the successor of one that left. */
const COMES_WITHIN: Milliseconds = 20_000
interface Place {
  readonly family: string
  readonly target: string
  readonly leftAt: Milliseconds
}

/**
 * Where pods were to go that have left their node: who comes in their place goes there. A plan is made for the pods on a node that
 * goes, and those are never bound to the nodes of the plan: their owners make others. Without this, whoever comes once the plan
 * is made is bound by kube-scheduler as it likes, takes the room of another, and a further node is bought.
 */
export class Successions {
  /** By the uid of who left, the earliest first. */
  readonly #places = new Map<string, Place>()
  readonly #families = new Map<string, Set<string>>()

  /** The pod, which was to go to `target`, leaves. Said again, it counts from then on. */
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

  /** The pod that left is gone at last: some owners make another only now. */
  gone({ metadata: { uid = '' } }: Pod, now: Milliseconds): void {
    const place = this.#places.get(uid)
    if (place === undefined) return
    this.#places.delete(uid)
    this.#places.set(uid, { ...place, leftAt: now })
  }

  /** Where the pod goes in the place of another; nobody else does then. */
  take(pod: Pod, now: Milliseconds): string | undefined {
    this.#forgetOld(now)
    if (this.#places.size === 0) return undefined
    const [uid] = this.#families.get(podFamily(pod) ?? '') ?? []
    return uid === undefined ? undefined : this.#remove(uid)
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
