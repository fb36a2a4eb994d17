import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

interface Entry<V> {
  readonly value: V
  readonly expires: Milliseconds
}

/**
 * A cache whose values expire after a time on the monotonic clock. Above `maxSize`, it drops the least recently written value. It needs no
 * timer: it removes expired entries when they are read, and occasionally during writes.
 */
export class TtlCache<K, V> {
  readonly #clock: Clock
  readonly #ttl: Milliseconds
  readonly #maxSize: number
  readonly #entries = new Map<K, Entry<V>>()
  #writesUntilSweep = 256

  constructor(clock: Clock, options: { readonly ttl: Milliseconds; readonly maxSize?: number }) {
    this.#clock = clock
    this.#ttl = options.ttl
    this.#maxSize = options.maxSize ?? Number.POSITIVE_INFINITY
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expires > this.#clock.monotonic()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  has(key: K): boolean {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.expires > this.#clock.monotonic()
  }

  set(key: K, value: V, ttl: Milliseconds = this.#ttl): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expires: this.#clock.monotonic() + ttl })
    if (--this.#writesUntilSweep <= 0) this.#sweep()
    while (this.#entries.size > this.#maxSize) {
      const oldest = this.#entries.keys().next()
      if (oldest.done === true) break
      this.#entries.delete(oldest.value)
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** The number of entries that have not expired. */
  get size(): number {
    this.#sweep()
    return this.#entries.size
  }

  #sweep(): void {
    const now = this.#clock.monotonic()
    for (const [key, entry] of this.#entries) if (entry.expires <= now) this.#entries.delete(key)
    this.#writesUntilSweep = Math.max(256, this.#entries.size)
  }
}
