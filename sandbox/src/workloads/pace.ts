import type { Milliseconds } from '@kerf/apis'
import type { Clock, Key } from '@kerf/runtime'

/**
 * Holds a key back until `gap` has passed since its last run, so that a burst of pod changes costs one reconciliation
 * and not one each: with ten thousand pods behind one object the difference is quadratic.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gap: Milliseconds
  readonly #last = new Map<Key, Milliseconds>()

  constructor(clock: Clock, gap: Milliseconds) {
    this.#clock = clock
    this.#gap = gap
  }

  /** Zero when the key may run now (and counts as run), otherwise how long it has to wait. */
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
