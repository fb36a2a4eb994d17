import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** The clock of a machine with a wrong wall clock: it is `ahead` of the true time (negative: behind), but durations are right. */
export class SkewedClock implements Clock {
  /** May be changed. The clock then jumps. */
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
