import type { Milliseconds } from '@kerf/apis'
import type { Clock, Key } from '@kerf/runtime'

/**
 * Delays a key until `gap` has passed since its last run, so that a burst of pod changes causes only one
 * reconciliation. With ten thousand pods of one object, the cost would otherwise be quadratic.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gap: Milliseconds
  readonly #last = new Map<Key, Milliseconds>()

  constructor(clock: Clock, gap: Milliseconds) {
    this.#clock = clock
    this.#gap = gap
  }

  /** Returns zero if the key may run now, and records the run. Otherwise returns how long it must wait. */
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
