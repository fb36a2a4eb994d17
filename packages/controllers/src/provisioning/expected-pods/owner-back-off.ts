import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

const FIRST: Milliseconds = 60_000
const LONGEST: Milliseconds = 3_600_000

interface Failures {
  /** The number of failures since a pod last appeared. */
  readonly count: number
  readonly until: Milliseconds
  /** Whether the owner must change before its pods are planned ahead again. */
  readonly needsChange: boolean
}

/**
 * Tracks the owners for which Kerf temporarily stops planning ahead, because their expected pods did not appear
 * (`docs/spec/expected-pods.md#pods-that-do-not-appear`). The pause doubles with each failure, from one minute up to one hour.
 */
export class OwnerBackOff {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** Owners that have places, and none of whose pods has appeared since the first place was stored. */
  readonly #awaited = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isBlocked(uid: string): boolean {
    const failures = this.#failures.get(uid)
    return failures !== undefined && (failures.needsChange || this.#clock.now() < failures.until)
  }

  /** Returns until when the owner is not planned ahead, or undefined if no time limit applies. */
  blockedUntil(uid: string): Milliseconds | undefined {
    const until = this.#failures.get(uid)?.until ?? 0
    return until > this.#clock.now() ? until : undefined
  }

  /** Records that no pod appeared in time. Returns until when the owner is not planned ahead. */
  failed(uid: string): Milliseconds {
    return this.#add(uid, true)
  }

  /** Records that places are kept for the owner. */
  planned(uid: string): void {
    this.#awaited.add(uid)
  }

  /** Records that the owner does not need the expected pods any more. This is a failure if none of them appeared. */
  withdrawn(uid: string): void {
    if (this.#awaited.has(uid)) this.#add(uid, false)
  }

  /** Records that the owner, its quota or one of its pods changed. */
  changed(uid: string): void {
    const failures = this.#failures.get(uid)
    if (failures?.needsChange === true) this.#failures.set(uid, { ...failures, needsChange: false })
  }

  /** Records that an expected pod appeared. */
  appeared(uid: string): void {
    this.forget(uid)
  }

  /** Drops the data of a deleted owner. */
  forget(uid: string): void {
    this.#failures.delete(uid)
    this.#awaited.delete(uid)
  }

  #add(uid: string, needsChange: boolean): Milliseconds {
    this.#awaited.delete(uid)
    const count = (this.#failures.get(uid)?.count ?? 0) + 1
    const until = this.#clock.now() + Math.min(LONGEST, FIRST * 2 ** (count - 1))
    this.#failures.set(uid, { count, until, needsChange })
    return until
  }
}
