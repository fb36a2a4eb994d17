import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

/** How many keys may be begun in a row, and how long they may take together, before everything else gets a turn. */
export const KEYS_PER_TURN = 50
const TIME_PER_TURN: Milliseconds = 10

/**
 * How much work begins before everything else gets a turn. A reconciliation that waits for nothing but promises that are settled
 * leads straight to the next one: without a limit, fifty thousand pods that were just listed would be reconciled in one piece.
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

  /** Whether another key may be begun now. If not, `again` is called once there is room. */
  take(again: () => void): boolean {
    if (this.#isOver) {
      this.#waiting.add(again)
      return false
    }
    this.#begun++
    if (this.#begun >= KEYS_PER_TURN) this.#end()
    return true
  }

  /** Counts the time that a key took. */
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
