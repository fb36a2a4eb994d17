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

/**
 * The bounds that follow from one response: the difference between the server's time and the local monotonic time is between them.
 */
interface Range {
  readonly low: Milliseconds
  readonly high: Milliseconds
  /** When the response arrived, in monotonic time. */
  readonly at: Milliseconds
}

/** The resolution of `Date` and `creationTimestamp`, which are rounded down to whole seconds. */
const RESOLUTION: Milliseconds = 1_000
/** A smaller difference is ignored, because the API server's times have whole seconds. */
const NEGLIGIBLE: Milliseconds = 1_000
/** How many responses are kept. This is enough to include responses of each of several API servers. */
const KEPT = 16
const EVERY: Milliseconds = 1_000
/** How long responses are kept. In this time, two typical clocks drift apart by less than 0.1 s. */
const HEADERS_KEPT_FOR: Milliseconds = 600_000
const OBJECT_KEPT_FOR: Milliseconds = 3_600_000

/**
 * A clock with the API server's time (`docs/spec/time.md#the-time-of-the-cluster`). Kerf compares timestamps of the API only with this
 * clock, and therefore never measures a duration between two clocks, even if the local clock is wrong. `now()` is the local monotonic time
 * plus an offset that is estimated from responses. Each response gives bounds for the offset: the server wrote its time after the request
 * was sent and before the response arrived. While the local clock is within all bounds, and while there is no response, `now()` is the
 * local time. A jump of the local clock does not change `now()`.
 */
export class ServerClock implements Clock, ServerTimeObserver {
  readonly #local: Clock
  readonly #report: ClockReport
  readonly #gauges
  #headers: readonly Range[] = []
  /**
   * The bounds from the latest object that the server created for this process. They come from the clock that sets timestamps, even
   * behind a proxy.
   */
  #object: Range | undefined
  /** The server's time minus the local monotonic time. Absent before the first response. */
  #offset: Milliseconds | undefined
  /** The local wall time minus the monotonic time, at the previous response. */
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

  /** Returns whether the range contains the current offset. */
  #isWithin({ low, high }: Range): boolean {
    return this.#offset !== undefined && this.#offset >= low && this.#offset <= high
  }

  /**
   * Drops the earlier responses if the monotonic clock stood still, as it does while a machine is suspended. This is the case if
   * the local wall clock has jumped and agrees with the server after the jump.
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
    // If servers differ, no offset is within all bounds. The range between the bounds is used then.
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
