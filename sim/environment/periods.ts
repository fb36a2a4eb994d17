import type { Clock, Milliseconds } from '@kerf/runtime'

/** Stretches of time in which something was out of the ordinary. They may overlap. */
export class Periods {
  readonly #clock: Clock
  /** What was done within a span may show for so long after it. */
  readonly #margin: Milliseconds
  readonly #periods: { readonly from: Milliseconds; to: Milliseconds }[] = []

  constructor(clock: Clock, margin: Milliseconds) {
    this.#clock = clock
    this.#margin = margin
  }

  /** Begins one. Returns what ends it; ending it twice is ending it once. */
  begin(): () => void {
    const duration = { from: this.#clock.monotonic(), to: Number.POSITIVE_INFINITY }
    this.#periods.push(duration)
    return () => {
      duration.to = Math.min(duration.to, this.#clock.monotonic())
    }
  }

  /** Whether there was any so far. */
  get any(): boolean {
    return this.#periods.length > 0
  }

  /** Whether a moment lies within one, or so shortly after that it may be a consequence. */
  near(at: Milliseconds): boolean {
    return this.within(at, at)
  }

  /** Whether any part of the time from one moment to another lies so. */
  within(from: Milliseconds, to: Milliseconds): boolean {
    return this.#periods.some((duration) => duration.from <= to && from <= duration.to + this.#margin)
  }

  /** The same for a time of day, as objects have it: whole seconds. */
  nearTime(time: string | undefined): boolean {
    const at = Date.parse(time ?? '') - this.#clock.now() + this.#clock.monotonic()
    return this.within(at, at + 1_000)
  }
}
