/** The timers of a browser, or of a test. */
export interface Timers {
  set(run: () => void, milliseconds: number): unknown
  clear(timer: unknown): void
}

/**
 * Runs an action at once on the first request, and then at most once per `every` milliseconds. Requests during the wait
 * cause one more run at its end, even if the requests never pause.
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

  /** Cancels the timer. If a request is pending, its action does not run. */
  stop(): void {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer)
    this.#timer = undefined
    this.#isAsked = false
  }
}
