import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

const FIRST: Milliseconds = 60_000
const LONGEST: Milliseconds = 3_600_000
/** How long a failure counts. Earlier failures are dropped if none happened during this time. */
const REMEMBERED: Milliseconds = 3_600_000

interface Failures {
  /** The number of consecutive failures. */
  readonly count: number
  readonly until: Milliseconds
  /** Whether a new pod of the owner ends the back-off early. */
  readonly endsEarly: boolean
  /** Whether Kerf expects pods of the owner again only after the owner has changed. */
  readonly needsChange: boolean
}

/**
 * Tracks the owners whose expected pods Kerf temporarily does not plan, because the pods did not appear
 * (`docs/spec/expected-pods.md#pods-that-do-not-appear`). The back-off doubles with each failure, from one minute up to one hour.
 */
export class OwnerBackOff {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isBlocked(uid: string): boolean {
    const failures = this.#failures.get(uid)
    return failures !== undefined && (failures.needsChange || this.#clock.now() < failures.until)
  }

  /** Returns when the back-off of the owner ends. Undefined if there is no back-off or its time has passed. */
  blockedUntil(uid: string): Milliseconds | undefined {
    const until = this.#failures.get(uid)?.until ?? 0
    return until > this.#clock.now() ? until : undefined
  }

  /** Records that no pod appeared in time. Returns when the back-off of the owner ends. */
  failed(uid: string): Milliseconds {
    return this.#add(uid, { endsEarly: true, needsChange: true })
  }

  /**
   * Records that the owner no longer needs pods for which capacity was reserved, for example after a scale-down. A new pod does not end
   * this back-off, because an owner that is repeatedly scaled up and down creates some pods each time.
   */
  withdrawn(uid: string): void {
    this.#add(uid, { endsEarly: false, needsChange: false })
  }

  /** Records that the owner, its quota or one of its pods has changed. */
  changed(uid: string): void {
    const failures = this.#failures.get(uid)
    if (failures?.needsChange === true) this.#failures.set(uid, { ...failures, needsChange: false })
  }

  /** Records that an expected pod has appeared. */
  appeared(uid: string): void {
    if (this.#failures.get(uid)?.endsEarly === true) this.#failures.delete(uid)
  }

  /** Removes the data of a deleted owner. */
  forget(uid: string): void {
    this.#failures.delete(uid)
  }

  #add(uid: string, ends: Pick<Failures, 'endsEarly' | 'needsChange'>): Milliseconds {
    const now = this.#clock.now()
    const before = this.#failures.get(uid)
    const count = before === undefined || now > before.until + REMEMBERED ? 1 : before.count + 1
    const until = now + Math.min(LONGEST, FIRST * 2 ** (count - 1))
    this.#failures.set(uid, { count, until, ...ends })
    return until
  }
}
