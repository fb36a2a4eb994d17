import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'

/** A rate of `qps` a second with bursts of `burst`. Starts full. */
export interface Rate {
  readonly qps: number
  readonly burst: number
}

/**
 * A token bucket on the monotonic clock. Callers may reserve ahead: tokens can go below zero, and the wait that this
 * implies is handed back, so waiting callers are served in order without a timer per token.
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

  /** Takes a token if one is there. */
  tryTake(): boolean {
    this.#refill()
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** How long until `tryTake` succeeds, if nobody else takes a token meanwhile. */
  untilNext(): Milliseconds {
    this.#refill()
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#qps) * 1000
  }

  /** Takes a token, now or in advance; returns how long to wait before acting on it. */
  reserve(): Milliseconds {
    this.#refill()
    this.#tokens -= 1
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000
  }

  /** Waits for its turn. An aborted wait gives its token back. */
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
