/** Timers, as the browser has them or a test counts them. */
export interface Timers {
  set(run: () => void, milliseconds: number): unknown
  clear(timer: unknown): void
}

/**
 * Runs something at once when it is first asked to, then at most once in `every` milliseconds. What was asked meanwhile is
 * never forgotten: one more run follows when the time is over, however steadily it goes on being asked.
 */
export class Throttle {
  readonly #run: () => void
  readonly #every: number
  readonly #timers: Timers
  #timer: unknown
  #isAsked = false

  constructor(run: () => void, every: number, timers: Timers) {
    this.#run = run
    this.#every = every
    this.#timers = timers
  }

  ask(): void {
    if (this.#timer !== undefined) {
      this.#isAsked = true
      return
    }
    this.#timer = this.#timers.set(() => this.#isOver(), this.#every)
    this.#run()
  }

  #isOver(): void {
    this.#timer = undefined
    if (!this.#isAsked) return
    this.#isAsked = false
    this.ask()
  }

  /** Leaves no timer behind. What was asked and not run yet is not run. */
  stop(): void {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer)
    this.#timer = undefined
    this.#isAsked = false
  }
}
