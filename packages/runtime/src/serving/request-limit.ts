import type { Clock } from '../clock/clock.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import type { Refusal } from './refusal.ts'

/**
 * The rate limit for all callers together, because most requests come through the API server, so the server cannot distinguish their
 * callers. Each page of the dashboard sends a request every ten seconds. A request about a node may simulate where its pods would run.
 */
const REQUEST_RATE: Rate = { qps: 5, burst: 50 }

/** Limits the rate of the JSON responses on the metrics port. */
export class RequestLimit {
  readonly #bucket: TokenBucket

  constructor(clock: Clock, rate: Rate = REQUEST_RATE) {
    this.#bucket = new TokenBucket(clock, rate)
  }

  /** Counts a request. Returns a refusal if the rate is exceeded. */
  take(): Refusal | undefined {
    if (this.#bucket.tryTake()) return undefined
    const seconds = Math.max(1, Math.ceil(this.#bucket.untilNext() / 1_000))
    return {
      status: 429,
      text: 'too many requests; try again later',
      headers: { 'retry-after': String(seconds) },
    }
  }
}
