import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

/** How many keys may start in one iteration of the event loop. */
export const KEYS_PER_TURN = 50
/** How much time all keys of one iteration of the event loop may take. */
const TIME_PER_TURN: Milliseconds = 10

/**
 * Limits how much work starts in one iteration of the event loop. A reconciliation that awaits only settled promises is followed
 * directly by the next one. Without a limit, fifty thousand newly listed pods would be reconciled without a pause.
 */
export class TurnBudget {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #begun = 0
  #spent: Milliseconds = 0
  #isOver = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns whether another key may start now. If not, calls `again` as soon as another key may start. */
  take(again: () => void): boolean {
    if (this.#isOver) {
      this.#waiting.add(again)
      return false
    }
    this.#begun++
    if (this.#begun >= KEYS_PER_TURN) this.#end()
    return true
  }

  /** Adds the time that a key has taken. */
  spend(time: Milliseconds): void {
    this.#spent += time
    if (this.#spent >= TIME_PER_TURN && !this.#isOver) this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#clock.timer(0, () => {
      this.#isOver = false
      this.#begun = 0
      this.#spent = 0
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const again of waiting) again()
    })
  }
}
