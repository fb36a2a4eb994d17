import type { Milliseconds } from '@kerf/apis'
import { backoffAfter, type Clock } from '@kerf/runtime'

/** The number of consecutive failed creations after which Kerf pauses. */
const TOLERATED = 3
const PAUSE = { base: 60_000, max: 600_000 } as const

/**
 * Pauses all creations after repeated failures, because their reason probably affects all offerings
 * (`providers/bizfly/docs/spec/bizfly.md#create`).
 */
export class FailurePause {
  readonly #clock: Clock
  #failures = 0
  #pauses = 0
  #until: Milliseconds = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Records that a creation failed after Bizfly Cloud had accepted it. Returns how long Kerf must pause, or undefined if it may continue.
   */
  failed(): Milliseconds | undefined {
    const now = this.#clock.monotonic()
    // This creation started before the pause, so its failure does not prolong the pause.
    if (now < this.#until) return undefined
    this.#failures++
    if (this.#failures < TOLERATED) return undefined
    this.#pauses++
    const pause = backoffAfter(PAUSE, this.#pauses)
    this.#until = now + pause
    return pause
  }

  /** Records a creation that succeeded. */
  succeeded(): void {
    this.#failures = 0
    this.#pauses = 0
  }
}
