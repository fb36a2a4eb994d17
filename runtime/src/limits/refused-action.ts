import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import { Backoff } from './backoff.ts'

export const refusedActionMetrics = defineMetrics({
  refused: {
    name: 'kerf_refused_by_api_server',
    type: 'gauge',
    help: 'Whether the API server refused something that Kerf works without (1), and has not allowed it since (0 otherwise).',
    labels: ['action'],
  },
})

/** A refusal may last for ever, or for the seconds until the API server has read its roles. */
const TRY_AGAIN = { base: 1_000, max: 300_000, jitter: 0.2 }

export interface RefusedActionOptions {
  readonly clock: Clock
  readonly random: Random
  readonly metrics?: Metrics | undefined
  /** What is refused, for the metric: `patch pods/status`. */
  readonly action: string
}

/**
 * Something that Kerf works without when the API server refuses it. It is tried again after a second, then after twice as
 * long up to five minutes, and never given up. `docs/spec/process.md#refusals`.
 */
export class RefusedAction {
  readonly #options: RefusedActionOptions
  readonly #backoff: Backoff
  readonly #metrics
  /** In the time of `clock.monotonic()`. */
  #tryAgainAt: Milliseconds = Number.NEGATIVE_INFINITY

  constructor(options: RefusedActionOptions) {
    this.#options = options
    this.#backoff = new Backoff(TRY_AGAIN, options.random)
    this.#metrics = options.metrics && refusedActionMetrics.register(options.metrics)
    this.#metrics?.refused.set(0, { action: options.action })
  }

  /** How long to do without it, 0 when it may be tried. */
  get wait(): Milliseconds {
    return Math.max(0, this.#tryAgainAt - this.#options.clock.monotonic())
  }

  /** The API server refused it. Returns whether that is news: the first refusal of a row. */
  refused(): boolean {
    const isNews = this.#backoff.failures === 0
    // Attempts that were on their way together count as one.
    if (this.wait > 0) return isNews
    this.#tryAgainAt = this.#options.clock.monotonic() + this.#backoff.next()
    this.#metrics?.refused.set(1, { action: this.#options.action })
    return isNews
  }

  /** The API server allowed it. Returns whether that is news. */
  allowed(): boolean {
    if (this.#backoff.failures === 0) return false
    this.#backoff.reset()
    this.#tryAgainAt = Number.NEGATIVE_INFINITY
    this.#metrics?.refused.set(0, { action: this.#options.action })
    return true
  }
}
