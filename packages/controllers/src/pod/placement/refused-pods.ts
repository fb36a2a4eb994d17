import type { Milliseconds, Pod } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { podFamily } from './pod-family.ts'

/** After this many refusals, Kerf pauses a pod, provided that the first refusal is old enough (`SHORTEST_SPAN`). */
const MOST_REFUSALS = 3
/**
 * Before Kerf pauses a pod, its first refusal must be at least this old. Refusals in quick succession may have another cause, such as a
 * spread constraint or pods that are still being bound.
 */
const SHORTEST_SPAN: Milliseconds = 60_000
/** The length of the first pause. Each further refusal doubles it. */
const FIRST_PAUSE: Milliseconds = 10 * 60_000
const LONGEST_PAUSE: Milliseconds = 6 * 3_600_000
/** After the pause of a deleted pod, its refusals are kept this long for the pod that replaces it. */
const INHERITED_FOR: Milliseconds = 60_000

/** A pod that kube-scheduler refused on nodes that Kerf chose for it. */
export interface RefusedPod {
  readonly refusals: number
  readonly firstAt: Milliseconds
  /** The node of the last refusal. */
  readonly node: string
  /** kube-scheduler's message at the last refusal. */
  readonly message: string
  /** Until when the pod is paused. 0 if it is not paused. */
  readonly pausedUntil: Milliseconds
  /** The length of the last pause. */
  readonly pause: Milliseconds
  /** The spec of the pod that was refused. If the spec changes, the refusals no longer apply. */
  readonly spec: string
}

const uid = ({ metadata }: Pod): string => metadata.uid ?? ''
const revision = ({ metadata }: Pod): string | undefined => metadata.labels?.['controller-revision-hash']

/**
 * Records pods about which Kerf and kube-scheduler disagree: by Kerf's rules a ready node has enough capacity for the pod, but
 * kube-scheduler refuses the pod there (`docs/spec/pending-pods.md#pods-that-kube-scheduler-refuses-on-their-node`). Without a limit, Kerf
 * would keep or launch nodes on which the pod never runs. After three refusals, Kerf plans nothing for the pod for ten minutes. Each
 * further refusal doubles this pause, up to six hours. A pod that replaces a refused pod inherits its refusals. The records are kept in
 * memory only.
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

  /** Returns the refusals of a pod that is paused, or undefined if the pod is planned normally. */
  pausedOf(pod: Pod): RefusedPod | undefined {
    if (this.#byUid.size === 0) return undefined
    const refused = this.#known(pod)
    return refused === undefined || refused.pausedUntil <= this.#clock.now() ? undefined : refused
  }

  /** Drops the refusals of a bound pod. */
  bound(pod: Pod): void {
    this.#byUid.delete(uid(pod))
  }

  /** Checks whether a new pod replaces a refused pod, and if so, gives it the refusals. */
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

  /** Keeps the refusals of a deleted pod for the pod that will replace it. */
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
