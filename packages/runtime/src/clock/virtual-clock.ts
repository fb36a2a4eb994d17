import type { Milliseconds } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import type { Clock, Timer } from './clock.ts'
import { type HeapTimer, TimerHeap } from './timer-heap.ts'

/** 2026-01-01T00:00:00Z, the default start of virtual time. */
export const VIRTUAL_EPOCH: Milliseconds = Date.UTC(2026, 0, 1)

/**
 * The number of timers of zero length that may be set before time must pass. If it is exceeded, the clock throws, because such code
 * would never end.
 */
const MOST_FOR_NO_TIME = 100_000

export interface VirtualClockOptions {
  /** Wall time at the start; `VIRTUAL_EPOCH` by default. */
  readonly start?: Milliseconds
  /**
   * The number of times that the clock yields to asynchronous code between two timers. One yield completes every chain of promises. Only
   * code that itself waits for the event loop (streams, compression) needs more.
   */
  readonly turns?: number
}

/**
 * A clock whose time passes only when a caller advances it. Due timers fire in order of due time and then of creation. Between two
 * timers, every chain of promises that does not wait for time completes, so the same program always runs in the same order. Only
 * one caller may drive the clock at a time. Code under test only reads the clock and sets timers.
 */
export class VirtualClock implements Clock {
  readonly #start: Milliseconds
  readonly #turns: number
  readonly #timers = new TimerHeap()
  #elapsed = 0
  #sequence = 0
  #driving = false
  /** The number of timers of zero length that were set since time last passed. */
  #forNoTime = 0

  constructor(options: VirtualClockOptions = {}) {
    this.#start = options.start ?? VIRTUAL_EPOCH
    this.#turns = options.turns ?? 1
  }

  now(): Milliseconds {
    return this.#start + this.#elapsed
  }

  monotonic(): Milliseconds {
    return this.#elapsed
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    const timer: HeapTimer = { due: this.#elapsed + Math.max(0, after), sequence: this.#sequence++, fire }
    if (timer.due === this.#elapsed) this.#forNoTime++
    this.#timers.push(timer)
    return { cancel: () => this.#timers.cancel(timer) }
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }

  /** The wall time at which the next timer fires. */
  get nextDue(): Milliseconds | undefined {
    const next = this.#timers.peek()
    return next === undefined ? undefined : this.#start + next.due
  }

  /** Advances time by `duration`, and fires every timer that becomes due, including timers that are set in the meantime. */
  async advance(duration: Milliseconds): Promise<void> {
    await this.#drive(this.#elapsed + duration, () => false)
  }

  /** Advances time in steps of `step` until `work` settles. Returns the result of `work`, or throws its error. */
  async advanceUntilDone<T>(work: Promise<T>, step: Milliseconds): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    // The last line rethrows an error of `work`. Until then, it must not be reported as an unhandled rejection.
    done.catch(() => {})
    while (!isDone) await this.advance(step)
    return await done
  }

  /**
   * Runs until the wall time `until`, or until the predicate is true. The predicate is checked at the start and after each timer. Returns
   * true if the time was reached or the predicate became true, and false if `limit` (a duration) passed first or no timer was left.
   */
  async runUntil(
    until: Milliseconds | (() => boolean),
    limit: Milliseconds = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    if (typeof until === 'number') {
      const end = Math.min(until - this.#start, this.#elapsed + limit)
      await this.#drive(end, () => false)
      return this.now() >= until
    }
    return await this.#drive(this.#elapsed + limit, until)
  }

  /**
   * Runs until no timer is left. Returns false if code keeps setting timers for longer than `limit` (a duration, one day by
   * default).
   */
  async runUntilIdle(limit: Milliseconds = 86_400_000): Promise<boolean> {
    return await this.#drive(this.#elapsed + limit, () => this.#timers.size === 0)
  }

  /** Runs asynchronous code as far as possible without time passing. */
  async settle(turns: number = this.#turns): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  }

  async #drive(end: Milliseconds, reached: () => boolean): Promise<boolean> {
    if (this.#driving)
      throw new InvariantError('VirtualClock is being driven already: only one caller may advance it at a time')
    this.#driving = true
    try {
      await this.settle()
      for (;;) {
        if (reached()) return true
        const next = this.#timers.peek()
        if (next === undefined || next.due > end) break
        this.#timers.pop()
        if (next.due > this.#elapsed) this.#forNoTime = 0
        if (this.#forNoTime > MOST_FOR_NO_TIME) throw new InvariantError(`time stands still at ${this.#elapsed} ms`)
        this.#elapsed = Math.max(this.#elapsed, next.due)
        const fire = next.fire
        next.fire = undefined
        fire?.()
        await this.settle()
      }
      if (Number.isFinite(end)) this.#elapsed = Math.max(this.#elapsed, end)
      return reached()
    } finally {
      this.#driving = false
    }
  }
}
