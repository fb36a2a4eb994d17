import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** The clock of a machine whose wall clock is wrong by `ahead` (negative if it is behind). Durations are correct. */
export class SkewedClock implements Clock {
  /** How far the wall clock is ahead. If it is changed, the wall clock jumps. */
  ahead: Milliseconds
  readonly #clock: Clock

  constructor(clock: Clock, ahead: Milliseconds) {
    this.#clock = clock
    this.ahead = ahead
  }

  now(): Milliseconds {
    return this.#clock.now() + this.ahead
  }

  monotonic(): Milliseconds {
    return this.#clock.monotonic()
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    return this.#clock.timer(after, fire)
  }
}
