import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '@kerf/runtime'

/** A clock that, from its creation on, runs `speed` times as fast as another clock. */
export class ScaledClock implements Clock {
  readonly #clock: Clock
  readonly #speed: number
  readonly #start: Milliseconds
  readonly #origin: Milliseconds

  constructor(clock: Clock, speed: number) {
    if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError(`speed must be a positive number, not ${speed}`)
    this.#clock = clock
    this.#speed = speed
    this.#start = clock.now()
    this.#origin = clock.monotonic()
  }

  now(): Milliseconds {
    return Math.floor(this.#start + this.monotonic())
  }

  monotonic(): Milliseconds {
    return (this.#clock.monotonic() - this.#origin) * this.#speed
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    return this.#clock.timer(after / this.#speed, fire)
  }
}
