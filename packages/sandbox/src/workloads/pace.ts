import type { Milliseconds } from '@kerf/apis'
import type { Clock, Key } from '@kerf/runtime'

/**
 * Limits how often a key runs: once per `gap`. A burst of pod changes then causes only one reconciliation. Without this limit, the
 * cost would be quadratic if one object has ten thousand pods.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gap: Milliseconds
  readonly #last = new Map<Key, Milliseconds>()

  constructor(clock: Clock, gap: Milliseconds) {
    this.#clock = clock
    this.#gap = gap
  }

  /** If the key may run now, records the run and returns zero. Otherwise returns how long it must still wait. */
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
