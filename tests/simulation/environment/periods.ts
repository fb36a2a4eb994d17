import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** Periods in which something was exceptional, for example a wrong clock. They may overlap. */
export class Periods {
  readonly #clock: Clock
  /** How long after its end a period may still affect behaviour. */
  readonly #margin: Milliseconds
  readonly #periods: { readonly from: Milliseconds; to: Milliseconds }[] = []

  constructor(clock: Clock, margin: Milliseconds) {
    this.#clock = clock
    this.#margin = margin
  }

  /** Begins a period. Returns a function that ends it. Calling it twice has no effect. */
  begin(): () => void {
    const duration = { from: this.#clock.monotonic(), to: Number.POSITIVE_INFINITY }
    this.#periods.push(duration)
    return () => {
      duration.to = Math.min(duration.to, this.#clock.monotonic())
    }
  }

  /** Reports whether any period has begun so far. */
  get any(): boolean {
    return this.#periods.length > 0
  }

  /** Reports whether a time lies within a period or the margin after it. */
  near(at: Milliseconds): boolean {
    return this.within(at, at)
  }

  /** Reports whether any part of a time range lies within a period or the margin after it. */
  within(from: Milliseconds, to: Milliseconds): boolean {
    return this.#periods.some((duration) => duration.from <= to && from <= duration.to + this.#margin)
  }

  /**
   * Reports whether an object's timestamp lies within a period or the margin after it. The timestamp has a resolution of one second, so it
   * represents a range of one second.
   */
  nearTime(time: string | undefined): boolean {
    const at = Date.parse(time ?? '') - this.#clock.now() + this.#clock.monotonic()
    return this.within(at, at + 1_000)
  }
}
