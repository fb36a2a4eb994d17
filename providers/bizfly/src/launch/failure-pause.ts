import type { Milliseconds } from '@kerf/apis'
import { backoffAfter, type Clock } from '@kerf/runtime'

/** How many creations in a row may fail before Kerf tries no offering for a while. */
const TOLERATED = 3
const PAUSE = { base: 60_000, max: 600_000 } as const

/**
 * Decides when to stop trying further offerings, because creations fail for a reason that all offerings share
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
   * Records that a creation failed after Bizfly Cloud had accepted it. Returns how long Kerf must create nothing; undefined if it may
   * continue.
   */
  failed(): Milliseconds | undefined {
    const now = this.#clock.monotonic()
    // This creation began before the pause, so it does not prolong the pause.
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
