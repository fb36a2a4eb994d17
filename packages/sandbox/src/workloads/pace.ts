import type { Milliseconds } from '@kerf/apis'
import type { Clock, Key } from '@kerf/runtime'

/**
 * Limits how often a key runs: once per `gap`. Then a burst of pod changes causes only one reconciliation. Without this limit, the cost
 * would be quadratic in the number of pods of one object, which may be ten thousand.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gap: Milliseconds
  readonly #last = new Map<Key, Milliseconds>()

  constructor(clock: Clock, gap: Milliseconds) {
    this.#clock = clock
    this.#gap = gap
  }

  /** If the key may run now, records the run and returns zero. Otherwise, returns the remaining wait. */
  take(key: Key): Milliseconds {
    const now = this.#clock.monotonic()
    const last = this.#last.get(key)
    if (last !== undefined && now - last < this.#gap) return this.#gap - (now - last)
    this.#last.set(key, now)
    return 0
  }

  forget(key: Key): void {
    this.#last.delete(key)
  }
}
