import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** How many tokens a bucket holds, and how many it gets back a second. */
export interface BucketSize {
  readonly capacity: number
  readonly refill: number
}

/**
 * A token bucket as clouds hold requests against it: full at first, refilled at a set rate, never above its capacity
 * (as in Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"). A rate below one a second adds up.
 */
export class TokenBucket {
  readonly #clock: Clock
  readonly #size: BucketSize
  #tokens: number
  #at: number

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock
    this.#size = size
    this.#tokens = size.capacity
    this.#at = clock.monotonic()
  }

  /** Takes so many tokens, or none when there are fewer. */
  take(count: number): boolean {
    const now = this.#clock.monotonic()
    // Drained for a while yet.
    if (now < this.#at) return false
    this.#tokens = Math.min(this.#size.capacity, this.#tokens + ((now - this.#at) / 1_000) * this.#size.refill)
    this.#at = now
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes all there is, and all that comes for so long. */
  drain(span: Milliseconds): void {
    this.#tokens = 0
    this.#at = this.#clock.monotonic() + span
  }
}
