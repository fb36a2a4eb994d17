import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** The clock of a machine that is wrong: its wall time is `ahead` of the true one (negative: behind), its durations are right. */
export class SkewedClock implements Clock {
  /** May be changed: then the clock jumps. */
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
