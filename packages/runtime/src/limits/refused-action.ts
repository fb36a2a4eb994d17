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
    help: '1 while the API server rejects an optional request of Kerf, else 0.',
    labels: ['action'],
  },
})

/** A refusal may be permanent, or may last the seconds until the API server has loaded its roles. */
const TRY_AGAIN = { base: 1_000, max: 300_000, jitter: 0.2 }

export interface RefusedActionOptions {
  readonly clock: Clock
  readonly random: Random
  readonly metrics?: Metrics | undefined
  /** The refused action as a label of the metric: `patch pods/status`. */
  readonly action: string
}

/**
 * An action that Kerf can work without if the API server refuses it. It is retried after a second, then with doubling
 * pauses of up to five minutes, and never given up. `docs/spec/process.md#refusals`.
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

  /** Returns the time until the next attempt, or 0 if it may be tried at once. */
  get wait(): Milliseconds {
    return Math.max(0, this.#tryAgainAt - this.#options.clock.monotonic())
  }

  /** Records that the API server refused the action. Returns true for the first of consecutive refusals. */
  refused(): boolean {
    const isNews = this.#backoff.failures === 0
    // Refusals of concurrent attempts count as one.
    if (this.wait > 0) return isNews
    this.#tryAgainAt = this.#options.clock.monotonic() + this.#backoff.next()
    this.#metrics?.refused.set(1, { action: this.#options.action })
    return isNews
  }

  /** Records that the API server allowed the action. Returns true if it was refused before. */
  allowed(): boolean {
    if (this.#backoff.failures === 0) return false
    this.#backoff.reset()
    this.#tryAgainAt = Number.NEGATIVE_INFINITY
    this.#metrics?.refused.set(0, { action: this.#options.action })
    return true
  }
}
