import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '@kerf/runtime'

/** A process's clock. Its time of day may be wrong, but it measures durations correctly. */
export class SkewedClock implements Clock {
  readonly #clock: Clock
  /** How far this clock is ahead of the correct time. */
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
