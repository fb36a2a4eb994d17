import type { Pod } from '@kerf/apis'

const uidOf = (pod: Pod): string => pod.metadata.uid ?? ''

/**
 * The claim, or the node that has none, that the latest decision placed each waiting pod on: the next decision leaves it
 * there while it fits, so that another packing of the same pods buys no node more. Ends when the pod is bound, wherever to, or goes. Kept in memory
 * only: after a restart the pods whose node is there already are known by their nomination, the others are placed anew.
 */
export class PlannedPods {
  readonly #byPod = new Map<string, string>()
  /** Rises with every change. */
  version = 0

  /** A decision placed the pod there. */
  assign(pod: Pod, target: string): void {
    const uid = uidOf(pod)
    if (this.#byPod.get(uid) === target) return
    this.#byPod.set(uid, target)
    this.version++
  }

  of(pod: Pod): string | undefined {
    return this.#byPod.get(uidOf(pod))
  }

  /** The pod found its node, or no place, or is gone. */
  forget(pod: Pod): void {
    if (this.#byPod.delete(uidOf(pod))) this.version++
  }

  /** By the pod's uid, as it is now. */
  snapshot(): ReadonlyMap<string, string> {
    return new Map(this.#byPod)
  }

  get size(): number {
    return this.#byPod.size
  }
}
