import type { Milliseconds } from '@kerf/runtime'

/** Where a pod was planned to run. */
export interface Nomination {
  /** A NodeClaim, or a Node that has none. */
  readonly target: string
  /** When its node was first seen open while the pod still waited. */
  openAt: Milliseconds | undefined
  /** When the pod was told of it. */
  toldAt: Milliseconds | undefined
  /** Whether the node was open when the pod was told of it. */
  wasOpen: boolean
  /** It was decided, for the pods of a node together, that the node will not take the pod. */
  isGivenUp: boolean
}

/** The latest plan for each pod that still waits, also by what was planned for it. Lost with the process: a hint only. */
export class Nominations {
  readonly #byPod = new Map<string, Nomination>()
  readonly #byTarget = new Map<string, Set<string>>()

  of(pod: string): Nomination | undefined {
    return this.#byPod.get(pod)
  }

  /** The pods planned for a claim or node. */
  for(target: string): readonly string[] {
    return [...(this.#byTarget.get(target) ?? [])]
  }

  /** A decision planned the pod there, perhaps once more. */
  set(pod: string, target: string): void {
    const known = this.#byPod.get(pod)
    if (known?.target === target) {
      known.toldAt = undefined
      known.isGivenUp = false
      return
    }
    this.delete(pod)
    this.#byPod.set(pod, { target, openAt: undefined, toldAt: undefined, wasOpen: false, isGivenUp: false })
    const pods = this.#byTarget.get(target) ?? new Set()
    this.#byTarget.set(target, pods.add(pod))
  }

  delete(pod: string): void {
    const target = this.#byPod.get(pod)?.target
    if (target === undefined) return
    this.#byPod.delete(pod)
    const pods = this.#byTarget.get(target)
    pods?.delete(pod)
    if (pods?.size === 0) this.#byTarget.delete(target)
  }
}
