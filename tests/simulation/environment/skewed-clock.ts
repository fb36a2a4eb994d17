import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '@kerf/runtime'

/** The clock of a process. Its time of day may be wrong; durations are right. */
export class SkewedClock implements Clock {
  readonly #clock: Clock
  /** How far this clock is ahead of the right time. */
  skew: Milliseconds = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): Milliseconds {
    return this.#clock.now() + this.skew
  }

  monotonic(): Milliseconds {
    return this.#clock.monotonic()
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    return this.#clock.timer(after, fire)
  }
}
