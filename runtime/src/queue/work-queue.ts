import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import type { Key } from '../key.ts'
import { type BackoffRule, backoffAfter } from '../limits/backoff.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Fifo } from './fifo.ts'
import { QueueMetrics } from './queue-metrics.ts'

/**
 * As client-go has it, 5 ms doubling for each key, and 10 a second over all keys with bursts of 100; but at most a minute
 * where client-go waits up to 1000 s: what failed because the world did is well a minute after the world is.
 */
export const DEFAULT_BACKOFF: BackoffRule = { base: 5, max: 60_000 }
export const DEFAULT_RATE: Rate = { qps: 10, burst: 100 }

export interface WorkQueueOptions {
  readonly name: string
  readonly clock: Clock
  readonly metrics?: Metrics
  readonly backoff?: BackoffRule
  readonly rate?: Rate
  /** Called when a key has become ready, so that the owner may take it. */
  readonly onReady?: () => void
}

/**
 * Keys that wait for work, each at most once. A key that is added while in work comes back when that work is done, so
 * no two workers ever hold the same key. First come, first served.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #backoff: BackoffRule
  readonly #bucket: TokenBucket
  readonly #metrics: QueueMetrics | undefined
  readonly #ready = new Fifo<Key>()
  /** Keys in `#ready`, or in work and asked for again; with the time they were added. */
  readonly #dirty = new Map<Key, Milliseconds>()
  /** Keys in work, with the time it began. */
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

  /** How many keys could be taken now. */
  get depth(): number {
    return this.#ready.size
  }

  /** How many keys are in work. */
  get working(): number {
    return this.#working.size
  }

  /** How many keys wait for a time to come. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** Asks for work on a key. Free when it waits already. */
  add(key: Key): void {
    if (this.#closed || this.#dirty.has(key)) return
    this.#dirty.set(key, this.#options.clock.monotonic())
    if (!this.#working.has(key)) this.#ready.push(key)
    this.#metrics?.added(this.#ready.size)
    this.#options.onReady?.()
  }

  /** Asks for work on a key after a while; of several such requests the earliest counts. */
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

  /** Asks for work on a key that failed, after its back-off or when the common rate allows, whichever is later. */
  addLimited(key: Key): void {
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    this.#metrics?.retried()
    this.addAfter(key, Math.max(backoffAfter(this.#backoff, failures), this.#bucket.reserve()))
  }

  /** The key did well: its next failure starts at the shortest back-off again. */
  forget(key: Key): void {
    this.#failures.delete(key)
  }

  /** Takes the next key into work; every key taken must be given to `done`. */
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

  /** Ends the work on a key; if it was asked for meanwhile it is ready again. */
  done(key: Key): void {
    const began = this.#working.get(key)
    if (began === undefined) return
    this.#working.delete(key)
    this.#metrics?.finished(this.#options.clock.monotonic() - began)
    if (this.#closed || !this.#dirty.has(key)) return
    this.#ready.push(key)
    this.#options.onReady?.()
  }

  /** Takes no more keys and hands none out; keys in work may still be done. */
  close(): void {
    this.#closed = true
    for (const { timer } of this.#delayed.values()) timer.cancel()
    this.#delayed.clear()
    this.#ready.clear()
    this.#dirty.clear()
  }
}
