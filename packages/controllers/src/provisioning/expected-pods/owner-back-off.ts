import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { APPEARS_WITHIN } from '../../pod/placement/expected-places.ts'

const FIRST: Milliseconds = 60_000
const LONGEST: Milliseconds = 3_600_000
/** How long a failure counts. Earlier failures are dropped if none happened during this time. */
const REMEMBERED: Milliseconds = 3_600_000
/** The maximum number of pods that an owner must create in quick succession to end its back-off early. */
const MOST_PODS = 64

interface Failures {
  /** The number of consecutive failures. */
  readonly count: number
  readonly until: Milliseconds
  /** Whether new pods of the owner end the back-off early. */
  readonly endsEarly: boolean
  /** The pods that the owner has created in quick succession since the failure, and when it created the latest one. */
  readonly pods?: { readonly count: number; readonly latest: Milliseconds }
  /** Whether Kerf expects pods of the owner again only after the owner has changed. */
  readonly needsChange: boolean
}

/**
 * Tracks the owners whose expected pods Kerf temporarily does not plan, because the pods did not appear
 * (`docs/spec/expected-pods.md#pods-that-do-not-appear`). The back-off doubles with each failure, from one minute up to one hour. The keys
 * are kinds, namespaces and names, so that an owner which is deleted and created again has the back-off of its predecessor.
 */
export class OwnerBackOff {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** When outdated failures were last removed. */
  #sweptAt: Milliseconds

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sweptAt = clock.now()
  }

  isBlocked(owner: string): boolean {
    const failures = this.#failures.get(owner)
    return failures !== undefined && (failures.needsChange || this.#clock.now() < failures.until)
  }

  /** Returns when the back-off of the owner ends. Undefined if there is no back-off or its time has passed. */
  blockedUntil(owner: string): Milliseconds | undefined {
    const until = this.#failures.get(owner)?.until ?? 0
    return until > this.#clock.now() ? until : undefined
  }

  /** Records that no pod appeared in time. Returns when the back-off of the owner ends. */
  failed(owner: string): Milliseconds {
    return this.#add(owner, { endsEarly: true, needsChange: true })
  }

  /**
   * Records that the owner no longer needs pods that Kerf expected, or would have expected without this back-off, for example after a
   * scale-down. A new pod does not end this back-off, because an owner that is repeatedly scaled up and down creates some pods each time.
   */
  withdrawn(owner: string): void {
    this.#add(owner, { endsEarly: false, needsChange: false })
  }

  /** Records that the owner, its quota or one of its pods has changed. */
  changed(owner: string): void {
    const failures = this.#failures.get(owner)
    if (failures?.needsChange === true) this.#failures.set(owner, { ...failures, needsChange: false })
  }

  /**
   * Records that the owner has created a pod. The back-off ends early when the owner has created 2, 4, 8 and so on pods, depending on the
   * number of failures, each of them in time for an expected pod. A single pod proves nothing: an owner that creates one pod every few
   * minutes would cause a launch ahead of each.
   */
  appeared(owner: string): void {
    const failures = this.#failures.get(owner)
    if (failures === undefined || !failures.endsEarly) return
    const latest = this.#clock.now()
    const { pods: before } = failures
    const count = before !== undefined && latest <= before.latest + APPEARS_WITHIN ? before.count + 1 : 1
    const isOver = count >= Math.min(MOST_PODS, 2 ** failures.count)
    this.#failures.set(owner, { ...failures, pods: { count, latest }, ...(isOver ? { until: latest } : {}) })
  }

  #add(owner: string, ends: Pick<Failures, 'endsEarly' | 'needsChange'>): Milliseconds {
    this.#sweep()
    const now = this.#clock.now()
    const before = this.#failures.get(owner)
    const count = before === undefined || isOutdated(before, now) ? 1 : before.count + 1
    const until = now + Math.min(LONGEST, FIRST * 2 ** (count - 1))
    this.#failures.set(owner, { count, until, ...ends })
    return until
  }

  /** From time to time, removes outdated failures, except those of owners that are planned ahead again only after they change. */
  #sweep(): void {
    const now = this.#clock.now()
    if (now < this.#sweptAt + REMEMBERED) return
    this.#sweptAt = now
    for (const [owner, failures] of this.#failures) {
      if (!failures.needsChange && isOutdated(failures, now)) this.#failures.delete(owner)
    }
  }
}

const isOutdated = ({ until }: Failures, now: Milliseconds): boolean => now > until + REMEMBERED
