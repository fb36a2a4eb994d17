import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'

/** A rate of `qps` per second, with bursts of `burst`. */
export interface Rate {
  readonly qps: number
  readonly burst: number
}

/**
 * A token bucket on the monotonic clock, full at the start. Callers may take tokens in advance: the number of tokens may become
 * negative, and `reserve` returns the resulting wait. Waiting callers are therefore served in order, without a timer for each
 * token.
 */
export class TokenBucket {
  readonly #clock: Clock
  readonly #qps: number
  readonly #burst: number
  #tokens: number
  #at: Milliseconds

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock
    this.#qps = rate.qps
    this.#burst = rate.burst
    this.#tokens = rate.burst
    this.#at = clock.monotonic()
  }

  /** Takes a token if one is available. */
  tryTake(): boolean {
    this.#refill()
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Returns the time until `tryTake` succeeds, assuming that no other caller takes a token first. */
  untilNext(): Milliseconds {
    this.#refill()
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#qps) * 1000
  }

  /** Takes a token, if necessary in advance. Returns the time that the caller must wait before it acts. */
  reserve(): Milliseconds {
    this.#refill()
    this.#tokens -= 1
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000
  }

  /** Waits for a token. If the wait is aborted, the token is returned to the bucket. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const wait = this.reserve()
    if (wait === 0) return
    try {
      await sleep(this.#clock, wait, signal)
    } catch (error) {
      this.#tokens = Math.min(this.#burst, this.#tokens + 1)
      throw error
    }
  }

  #refill(): void {
    const now = this.#clock.monotonic()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#qps)
    this.#at = now
  }
}
