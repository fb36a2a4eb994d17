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

/** The back-off. A refusal may be permanent, or may last only until the API server has loaded its roles, which takes seconds. */
const TRY_AGAIN = { base: 1_000, max: 300_000, jitter: 0.2 }

export interface RefusedActionOptions {
  readonly clock: Clock
  readonly random: Random
  readonly metrics?: Metrics | undefined
  /** The name of the action as a metric label, for example `patch pods/status`. */
  readonly action: string
}

/**
 * An action that Kerf can work without if the API server refuses it (`docs/spec/process.md#refusals`). Kerf retries it after a second, and
 * then with pauses that double up to five minutes, without end.
 */
export class RefusedAction {
  readonly #options: RefusedActionOptions
  readonly #backoff: Backoff
  readonly #metrics
  /** The time at which the refused action may be tried again, as measured by `clock.monotonic()`. */
  #tryAgainAt: Milliseconds = Number.NEGATIVE_INFINITY

  constructor(options: RefusedActionOptions) {
    this.#options = options
    this.#backoff = new Backoff(TRY_AGAIN, options.random)
    this.#metrics = options.metrics && refusedActionMetrics.register(options.metrics)
    this.#metrics?.refused.set(0, { action: options.action })
  }

  /** Whether the API server refused the last attempt. */
  get isRefused(): boolean {
    return this.#backoff.failures > 0
  }

  /** The time until the next attempt, or 0 if the action may be tried now. */
  get wait(): Milliseconds {
    return Math.max(0, this.#tryAgainAt - this.#options.clock.monotonic())
  }

  /** Records that the API server refused the action. Returns true for the first refusal after a success. */
  refused(): boolean {
    const isNews = !this.isRefused
    // The refusals of concurrent attempts count as one.
    if (this.wait > 0) return isNews
    this.#tryAgainAt = this.#options.clock.monotonic() + this.#backoff.next()
    this.#metrics?.refused.set(1, { action: this.#options.action })
    return isNews
  }

  /** Records that the API server allowed the action. Returns true if it was refused before. */
  allowed(): boolean {
    if (!this.isRefused) return false
    this.#backoff.reset()
    this.#tryAgainAt = Number.NEGATIVE_INFINITY
    this.#metrics?.refused.set(0, { action: this.#options.action })
    return true
  }
}
