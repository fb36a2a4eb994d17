import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** Periods in which something was out of the ordinary. They may overlap. */
export class Periods {
  readonly #clock: Clock
  /** What was done within a period may have consequences this much later. */
  readonly #margin: Milliseconds
  readonly #periods: { readonly from: Milliseconds; to: Milliseconds }[] = []

  constructor(clock: Clock, margin: Milliseconds) {
    this.#clock = clock
    this.#margin = margin
  }

  /** Begins a period. Returns what ends it. Ending it twice has no effect. */
  begin(): () => void {
    const duration = { from: this.#clock.monotonic(), to: Number.POSITIVE_INFINITY }
    this.#periods.push(duration)
    return () => {
      duration.to = Math.min(duration.to, this.#clock.monotonic())
    }
  }

  /** Whether a period has begun so far. */
  get any(): boolean {
    return this.#periods.length > 0
  }

  /** Whether a time lies within a period or its margin. */
  near(at: Milliseconds): boolean {
    return this.within(at, at)
  }

  /** Whether any part of the time between lies within a period or its margin. */
  within(from: Milliseconds, to: Milliseconds): boolean {
    return this.#periods.some((duration) => duration.from <= to && from <= duration.to + this.#margin)
  }

  /** The same for a time of day as objects have it, in whole seconds. */
  nearTime(time: string | undefined): boolean {
    const at = Date.parse(time ?? '') - this.#clock.now() + this.#clock.monotonic()
    return this.within(at, at + 1_000)
  }
}
