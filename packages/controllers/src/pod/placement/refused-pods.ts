import type { Milliseconds, Pod } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { podFamily } from './pod-family.ts'

/** The number of refusals after which Kerf pauses a pod, if the first refusal is old enough (`SHORTEST_SPAN`). */
const MOST_REFUSALS = 3
/**
 * The minimum age of a pod's first refusal before Kerf pauses the pod. Refusals in quick succession may have another cause, such as a
 * spread constraint or pods that are still being bound.
 */
const SHORTEST_SPAN: Milliseconds = 60_000
/** The length of the first pause. Each further refusal doubles it. */
const FIRST_PAUSE: Milliseconds = 10 * 60_000
const LONGEST_PAUSE: Milliseconds = 6 * 3_600_000
/** How long the refusals of a deleted pod are kept after its pause, so that the pod that replaces it can inherit them. */
const INHERITED_FOR: Milliseconds = 60_000

/** The record of a pod that kube-scheduler refused on nodes that Kerf chose for it. */
export interface RefusedPod {
  readonly refusals: number
  readonly firstAt: Milliseconds
  /** The node of the last refusal. */
  readonly node: string
  /** kube-scheduler's message at the last refusal. */
  readonly message: string
  /** When the pause of the pod ends. 0 if the pod is not paused. */
  readonly pausedUntil: Milliseconds
  /** The length of the last pause. */
  readonly pause: Milliseconds
  /** The spec of the refused pod. If the spec changes, the refusals no longer apply. */
  readonly spec: string
}

const uid = ({ metadata }: Pod): string => metadata.uid ?? ''
const revision = ({ metadata }: Pod): string | undefined => metadata.labels?.['controller-revision-hash']

/**
 * Records pods about which Kerf and kube-scheduler disagree: according to Kerf's rules, a ready node has enough capacity for the pod, but
 * kube-scheduler refuses the pod there (`docs/spec/pending-pods.md#pods-that-kube-scheduler-refuses-on-their-node`). Without a limit, Kerf
 * would keep or launch nodes on which the pod never runs. After three refusals, Kerf does not plan the pod for ten minutes. Each further
 * refusal doubles this pause, up to six hours. A pod that replaces a refused pod inherits its refusals. The records are kept in memory
 * only.
 */
export class RefusedPods {
  readonly #clock: Pick<Clock, 'now'>
  readonly #byUid = new Map<string, RefusedPod>()
  readonly #left = new Map<string, { readonly revision: string | undefined; readonly refused: RefusedPod }[]>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The number of paused pods. */
  get pausedCount(): number {
    let paused = 0
    for (const { pausedUntil } of this.#byUid.values()) if (pausedUntil > this.#clock.now()) paused++
    return paused
  }

  /** Records that kube-scheduler refused the pod on a ready node that has enough capacity for it. */
  refuse(pod: Pod, node: string, message: string): void {
    const now = this.#clock.now()
    const before = this.#known(pod)
    const refusals = (before?.refusals ?? 0) + 1
    const firstAt = before?.firstAt ?? now
    const pauses = refusals >= MOST_REFUSALS && now - firstAt >= SHORTEST_SPAN
    const doubled = before === undefined || before.pause === 0 ? FIRST_PAUSE : Math.min(2 * before.pause, LONGEST_PAUSE)
    const pause = pauses ? doubled : 0
    this.#byUid.set(uid(pod), {
      refusals,
      firstAt,
      node,
      message,
      pausedUntil: pauses ? now + pause : 0,
      pause,
      spec: JSON.stringify(pod.spec),
    })
  }

  /** Returns the record of a paused pod, or undefined if the pod is planned normally. */
  pausedOf(pod: Pod): RefusedPod | undefined {
    if (this.#byUid.size === 0) return undefined
    const refused = this.#known(pod)
    return refused === undefined || refused.pausedUntil <= this.#clock.now() ? undefined : refused
  }

  /** Removes the record of a bound pod. */
  bound(pod: Pod): void {
    this.#byUid.delete(uid(pod))
  }

  /** Called for a new pod. If the pod replaces a refused pod, it inherits that pod's record. */
  came(pod: Pod): void {
    const family = this.#left.size === 0 ? undefined : podFamily(pod)
    const left = family === undefined ? undefined : this.#left.get(family)
    if (family === undefined || left === undefined) return
    const now = this.#clock.now()
    const alive = left.filter(({ refused }) => now < inheritedUntil(refused))
    const index = alive.findIndex((each) => each.revision === revision(pod))
    const [inherited] = index < 0 ? [] : alive.splice(index, 1)
    if (alive.length === 0) this.#left.delete(family)
    else this.#left.set(family, alive)
    if (inherited === undefined) return
    this.#byUid.set(uid(pod), { ...inherited.refused, spec: JSON.stringify(pod.spec) })
  }

  /** Called for a deleted pod. Keeps its record for the pod that will replace it. */
  gone(pod: Pod): void {
    const refused = this.#byUid.get(uid(pod))
    if (refused === undefined) return
    this.#byUid.delete(uid(pod))
    const family = podFamily(pod)
    if (family !== undefined) {
      this.#left.set(family, [...(this.#left.get(family) ?? []), { revision: revision(pod), refused }])
    }
    this.#forgetOld()
  }

  #known(pod: Pod): RefusedPod | undefined {
    const refused = this.#byUid.get(uid(pod))
    return refused === undefined || refused.spec !== JSON.stringify(pod.spec) ? undefined : refused
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [family, left] of this.#left) {
      const alive = left.filter(({ refused }) => now < inheritedUntil(refused))
      if (alive.length === 0) this.#left.delete(family)
      else if (alive.length < left.length) this.#left.set(family, alive)
    }
  }
}

const inheritedUntil = ({ firstAt, pausedUntil }: RefusedPod): Milliseconds =>
  Math.max(firstAt + SHORTEST_SPAN, pausedUntil) + INHERITED_FOR
