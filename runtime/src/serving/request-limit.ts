import type { Clock } from '../clock/clock.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import type { Refusal } from './refusal.ts'

/**
 * For all callers together: most come through the API server, so they cannot be told apart. Each page of a dashboard asks
 * every ten seconds; a question about a node may plan its pods anew.
 */
const REQUEST_RATE: Rate = { qps: 5, burst: 50 }

/** How often the answers on the metrics port may be asked for. */
export class RequestLimit {
  readonly #bucket: TokenBucket

  constructor(clock: Clock, rate: Rate = REQUEST_RATE) {
    this.#bucket = new TokenBucket(clock, rate)
  }

  /** Counts a question; nothing when there is room for it. */
  take(): Refusal | undefined {
    if (this.#bucket.tryTake()) return undefined
    const seconds = Math.max(1, Math.ceil(this.#bucket.untilNext() / 1_000))
    return {
      status: 429,
      text: 'too many questions; ask again later',
      headers: { 'retry-after': String(seconds) },
    }
  }
}
