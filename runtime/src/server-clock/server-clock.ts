import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import type { ServerTimeObserver } from '../clock/server-time.ts'
import type { Logger } from '../logging/logger.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type ClockReading, ClockReport } from './clock-report.ts'

export const clockMetrics = defineMetrics({
  difference: {
    name: 'kerf_clock_difference_seconds',
    type: 'gauge',
    help: 'How far the clock of this machine is ahead of the API server’s (negative: behind); 0 within the accuracy of the measurement. NaN before the first measurement.',
  },
  disagreement: {
    name: 'kerf_clock_server_disagreement_seconds',
    type: 'gauge',
    help: 'How far the clocks of API servers, or of proxies before them, differ from each other.',
  },
})

/** What one answer says: the server’s time less our monotonic time lies between the two. */
interface Range {
  readonly low: Milliseconds
  readonly high: Milliseconds
  /** Monotonic. */
  readonly at: Milliseconds
}

/** `Date` and `creationTimestamp` have whole seconds, rounded down. */
const RESOLUTION: Milliseconds = 1_000
/** A smaller difference cannot matter, because the API server’s times have whole seconds. */
const NEGLIGIBLE: Milliseconds = 1_000
/** Enough for answers of each of several API servers to be among them. */
const KEPT = 16
const EVERY: Milliseconds = 1_000
/** Two clocks of usual quality part by less than 0.1 s in this time. */
const HEADERS_KEPT_FOR: Milliseconds = 600_000
const OBJECT_KEPT_FOR: Milliseconds = 3_600_000

/**
 * The API server’s time, so that no duration is measured between two clocks: what Kerf compares with a timestamp of the API
 * comes from here, whatever the clock of this machine says (`docs/spec/time.md#the-time-of-the-cluster`).
 *
 * `now()` is our monotonic time plus an offset that is estimated from answers. Each answer bounds the offset: the server
 * wrote its time after the request was sent and before the answer came. While the clock of this machine lies within all
 * bounds, `now()` is that clock; without any answer it is too. A jump of the own clock does not move it.
 */
export class ServerClock implements Clock, ServerTimeObserver {
  readonly #local: Clock
  readonly #report: ClockReport
  readonly #gauges
  #headers: readonly Range[] = []
  /** From the newest object that the server created for us: the clock that timestamps come from, also behind a proxy. */
  #object: Range | undefined
  /** The server’s time less our monotonic time; absent before the first answer. */
  #offset: Milliseconds | undefined
  /** The own clock less the monotonic one, at the answer before. */
  #ownBefore: Milliseconds
  #problem: string | undefined

  constructor(local: Clock, { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics }) {
    this.#local = local
    this.#report = new ClockReport(local, logger)
    this.#gauges = clockMetrics.register(metrics)
    this.#gauges.difference.set(Number.NaN)
    this.#ownBefore = this.#own()
  }

  now(): Milliseconds {
    if (this.#offset === undefined) return this.#local.now()
    return Math.round(this.#local.monotonic() + this.#offset)
  }

  monotonic(): Milliseconds {
    return this.#local.monotonic()
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    return this.#local.timer(after, fire)
  }

  get problem(): string | undefined {
    return this.#problem
  }

  observeHeader(time: Milliseconds, sentAt: Milliseconds): void {
    const range = this.#rangeOf(time, sentAt)
    const newest = this.#headers.at(-1)
    if (newest !== undefined && range.at - newest.at < EVERY && this.#isWithin(range)) return
    this.#dropIfStopped(range)
    const kept = this.#headers.filter(({ at }) => range.at - at < HEADERS_KEPT_FOR)
    this.#headers = [...kept.slice(-(KEPT - 1)), range]
    this.#estimate()
  }

  observeCreation(time: Milliseconds, sentAt: Milliseconds): void {
    const range = this.#rangeOf(time, sentAt)
    this.#dropIfStopped(range)
    this.#object = range
    this.#estimate()
  }

  #own(): Milliseconds {
    return this.#local.now() - this.#local.monotonic()
  }

  #rangeOf(time: Milliseconds, sentAt: Milliseconds): Range {
    const at = this.#local.monotonic()
    return { low: time - at, high: time + RESOLUTION - sentAt, at }
  }

  /** Whether the range holds the offset in use, so that it is no news. */
  #isWithin({ low, high }: Range): boolean {
    return this.#offset !== undefined && this.#offset >= low && this.#offset <= high
  }

  /**
   * Drops the earlier answers if the monotonic clock stood still, as it does while a machine is suspended: the own clock
   * jumped, and the server’s time agrees with it after the jump.
   */
  #dropIfStopped({ low, high }: Range): void {
    const own = this.#own()
    const hasJumped = Math.abs(own - this.#ownBefore) > NEGLIGIBLE
    const agreed = this.#offset !== undefined && Math.abs(this.#offset - this.#ownBefore) <= NEGLIGIBLE
    this.#ownBefore = own
    if (!hasJumped || !agreed || own < low - NEGLIGIBLE || own > high + NEGLIGIBLE) return
    this.#headers = []
    this.#object = undefined
  }

  #estimate(): void {
    const now = this.#local.monotonic()
    const isFresh = this.#object !== undefined && now - this.#object.at < OBJECT_KEPT_FOR
    const ranges = isFresh && this.#object !== undefined ? [...this.#headers, this.#object] : this.#headers
    const latestLow = Math.max(...ranges.map(({ low }) => low))
    const earliestHigh = Math.min(...ranges.map(({ high }) => high))
    // Servers that differ leave no offset that all answers allow; then it lies between them.
    const low = Math.min(latestLow, earliestHigh)
    const high = Math.max(latestLow, earliestHigh)
    const own = this.#own()
    const middle = (low + high) / 2
    const agrees = own >= low - NEGLIGIBLE && own <= high + NEGLIGIBLE
    const difference = agrees ? 0 : own - middle
    if (agrees) this.#offset = own
    else if (this.#offset === undefined || this.#offset < low || this.#offset > high) this.#offset = middle
    this.#publish({ difference, disagreement: Math.max(0, latestLow - earliestHigh) })
  }

  #publish(reading: ClockReading): void {
    this.#gauges.difference.set(Math.round(reading.difference / 100) / 10)
    this.#gauges.disagreement.set(Math.round(reading.disagreement / 100) / 10)
    this.#problem = this.#report.take(reading)
  }
}
