import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** The capacity of a bucket in tokens, and its refill rate per second. */
export interface BucketSize {
  readonly capacity: number
  readonly refill: number
}

/**
 * A token bucket, as used by clouds for request limits. It is initially full, and is refilled at a fixed rate up to its capacity (as in
 * Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"). A rate may be below one token per second.
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

  /** Takes `count` tokens and returns true. Takes none and returns false if there are fewer. */
  take(count: number): boolean {
    const now = this.#clock.monotonic()
    // A call of `drain` sets this time, and keeps the bucket empty until then.
    if (now < this.#at) return false
    this.#tokens = Math.min(this.#size.capacity, this.#tokens + ((now - this.#at) / 1_000) * this.#size.refill)
    this.#at = now
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes all tokens, including those that would be added during `span`. */
  drain(span: Milliseconds): void {
    this.#tokens = 0
    this.#at = this.#clock.monotonic() + span
  }
}
