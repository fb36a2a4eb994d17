import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import type { Key } from '../key.ts'
import { type BackoffRule, backoffAfter } from '../limits/backoff.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Fifo } from './fifo.ts'
import { QueueMetrics } from './queue-metrics.ts'

/**
 * The rule of client-go: the back-off of each key starts at 5 ms and doubles, and all keys together have 10 retries per second with
 * bursts of 100. The maximum is a minute and not 1000 s as in client-go, so that failed keys recover within a minute after an
 * outage ends.
 */
export const DEFAULT_BACKOFF: BackoffRule = { base: 5, max: 60_000 }
export const DEFAULT_RATE: Rate = { qps: 10, burst: 100 }

export interface WorkQueueOptions {
  readonly name: string
  readonly clock: Clock
  readonly metrics?: Metrics
  readonly backoff?: BackoffRule
  readonly rate?: Rate
  /** Called when a key has become ready, so that the owner can take it. */
  readonly onReady?: () => void
}

/**
 * A first-in, first-out queue that contains each key at most once. A key that is added during its processing becomes ready again when the
 * processing ends, so two workers never have the same key.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #backoff: BackoffRule
  readonly #bucket: TokenBucket
  readonly #metrics: QueueMetrics | undefined
  readonly #ready = new Fifo<Key>()
  /** Keys that are ready, or in progress and added again, with the time at which they were added. */
  readonly #dirty = new Map<Key, Milliseconds>()
  /** Keys in progress, with the time at which a worker took them. */
  readonly #working = new Map<Key, Milliseconds>()
  readonly #delayed = new Map<Key, { readonly due: Milliseconds; readonly timer: Timer }>()
  readonly #failures = new Map<Key, number>()
  #closed = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF
    this.#bucket = new TokenBucket(options.clock, options.rate ?? DEFAULT_RATE)
    const { clock, metrics, name } = options
    const running = this.#working
    this.#metrics =
      metrics && new QueueMetrics(metrics, name, () => running.values().map((at) => clock.monotonic() - at))
  }

  /** The number of ready keys. */
  get depth(): number {
    return this.#ready.size
  }

  /** The number of keys in progress. */
  get working(): number {
    return this.#working.size
  }

  /** The number of delayed keys. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** Adds a key, unless it is already queued. */
  add(key: Key): void {
    if (this.#closed || this.#dirty.has(key)) return
    this.#dirty.set(key, this.#options.clock.monotonic())
    if (!this.#working.has(key)) this.#ready.push(key)
    this.#metrics?.added(this.#ready.size)
    this.#options.onReady?.()
  }

  /** Adds a key after a delay. If a key has several delays, the earliest one applies. */
  addAfter(key: Key, after: Milliseconds): void {
    if (this.#closed) return
    if (!(after > 0)) {
      this.add(key)
      return
    }
    const due = this.#options.clock.monotonic() + after
    const waiting = this.#delayed.get(key)
    if (waiting !== undefined) {
      if (waiting.due <= due) return
      waiting.timer.cancel()
    }
    const timer = this.#options.clock.timer(after, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { due, timer })
  }

  /** Adds a failed key after its back-off, or later if the shared rate limit requires it. */
  addLimited(key: Key): void {
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    this.#metrics?.retried()
    this.addAfter(key, Math.max(backoffAfter(this.#backoff, failures), this.#bucket.reserve()))
  }

  /** Resets the back-off of a key after a success. */
  forget(key: Key): void {
    this.#failures.delete(key)
  }

  /** Takes the next key. The caller must pass every taken key to `done`. */
  take(): Key | undefined {
    if (this.#closed) return undefined
    const key = this.#ready.shift()
    if (key === undefined) return undefined
    const now = this.#options.clock.monotonic()
    const added = this.#dirty.get(key) ?? now
    this.#dirty.delete(key)
    this.#working.set(key, now)
    this.#metrics?.taken(this.#ready.size, now - added)
    return key
  }

  /** Ends the processing of a key. If the key was added during the processing, it is ready again. */
  done(key: Key): void {
    const began = this.#working.get(key)
    if (began === undefined) return
    this.#working.delete(key)
    this.#metrics?.finished(this.#options.clock.monotonic() - began)
    if (this.#closed || !this.#dirty.has(key)) return
    this.#ready.push(key)
    this.#options.onReady?.()
  }

  /** Closes the queue. It then accepts and returns no keys. `done` may still be called for keys in progress. */
  close(): void {
    this.#closed = true
    for (const { timer } of this.#delayed.values()) timer.cancel()
    this.#delayed.clear()
    this.#ready.clear()
    this.#dirty.clear()
  }
}
