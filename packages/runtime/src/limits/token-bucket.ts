import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'

/** A rate of `qps` per second with bursts of `burst`. The bucket starts full. */
export interface Rate {
  readonly qps: number
  readonly burst: number
}

/**
 * A token bucket on the monotonic clock. Callers may reserve tokens in advance: the number of tokens can fall below zero, and
 * `reserve` returns the resulting wait. Waiting callers are therefore served in order without a timer for each token.
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

  /** Returns the time until `tryTake` succeeds, if no other caller takes a token meanwhile. */
  untilNext(): Milliseconds {
    this.#refill()
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#qps) * 1000
  }

  /** Takes a token, possibly in advance. Returns how long the caller must wait before it acts. */
  reserve(): Milliseconds {
    this.#refill()
    this.#tokens -= 1
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000
  }

  /** Waits for a token. An aborted wait returns its token. */
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
