import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** The capacity of a bucket in tokens, and its refill rate per second. */
export interface BucketSize {
  readonly capacity: number
  readonly refill: number
}

/**
 * A token bucket like those that clouds use for request limits. It is full at first and is refilled at a fixed rate up to its capacity
 * (as in Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"). A rate below one token per second accumulates.
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

  /** Takes this many tokens. If there are fewer, takes none and returns false. */
  take(count: number): boolean {
    const now = this.#clock.monotonic()
    // A call of `drain` keeps the bucket empty until a later time.
    if (now < this.#at) return false
    this.#tokens = Math.min(this.#size.capacity, this.#tokens + ((now - this.#at) / 1_000) * this.#size.refill)
    this.#at = now
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes all tokens, and all tokens that are added within this time. */
  drain(span: Milliseconds): void {
    this.#tokens = 0
    this.#at = this.#clock.monotonic() + span
  }
}
