import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

const WINDOW: Milliseconds = 1_000
const FIRST = 100
const THEN_EVERY = 100

/** Accepts the first hundred equal lines of a second, and then every hundredth, like upstream's logger. */
export class Sampler {
  readonly #clock: Clock
  readonly #counts = new Map<string, number>()
  #windowEnd: Milliseconds = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  admits(line: string): boolean {
    const now = this.#clock.monotonic()
    if (now >= this.#windowEnd) {
      this.#counts.clear()
      this.#windowEnd = now + WINDOW
    }
    const count = (this.#counts.get(line) ?? 0) + 1
    this.#counts.set(line, count)
    return count <= FIRST || (count - FIRST) % THEN_EVERY === 0
  }
}
