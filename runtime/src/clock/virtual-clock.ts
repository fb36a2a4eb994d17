import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from './clock.ts'
import { type HeapTimer, TimerHeap } from './timer-heap.ts'

/** 2026-01-01T00:00:00Z: where virtual time starts by default. */
export const VIRTUAL_EPOCH: Milliseconds = Date.UTC(2026, 0, 1)

/** Driving the clock fails when more timers than this were set for no time since time last passed: such code never ends. */
const MOST_FOR_NO_TIME = 100_000

export interface VirtualClockOptions {
  /** Wall time at the start; `VIRTUAL_EPOCH` by default. */
  readonly start?: Milliseconds
  /**
   * Event-loop turns granted to asynchronous code between two timers. One turn completes every chain of promises;
   * more are needed only for code that itself waits for turns (streams, compression).
   */
  readonly turns?: number
}

/**
 * Time that stands still until it is moved. Due timers fire in (time, order of creation); between two of them
 * every promise chain that can progress without time does so. The same program thus takes the same course each time.
 *
 * Exactly one caller drives the clock at a time; code under test only reads it and sets timers.
 */
export class VirtualClock implements Clock {
  readonly #start: Milliseconds
  readonly #turns: number
  readonly #timers = new TimerHeap()
  #elapsed = 0
  #sequence = 0
  #driving = false
  /** How many timers were set for no time since time last passed. */
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

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size
  }

  /** Wall time at which the next timer fires. */
  get nextDue(): Milliseconds | undefined {
    const next = this.#timers.peek()
    return next === undefined ? undefined : this.#start + next.due
  }

  /** Moves time forward by `duration`, firing everything that becomes due on the way, including timers set meanwhile. */
  async advance(duration: Milliseconds): Promise<void> {
    await this.#drive(this.#elapsed + duration, () => false)
  }

  /** Moves time forward, `step` by `step`, until `work` has ended, and answers or fails as that does. */
  async advanceUntilDone<T>(work: Promise<T>, step: Milliseconds): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    // A failure is told by the last line; until then it must not count as unhandled.
    done.catch(() => {})
    while (!isDone) await this.advance(step)
    return await done
  }

  /**
   * Runs until the wall time `until`, or until the predicate holds (asked before the start and after each timer).
   * Returns whether that was reached: false when `limit` (a duration) passed or nothing was left to wait for.
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
   * Runs until no timer is left. Returns false when that took more than `limit` (a duration, one day by default): something
   * keeps setting timers.
   */
  async runUntilIdle(limit: Milliseconds = 86_400_000): Promise<boolean> {
    return await this.#drive(this.#elapsed + limit, () => this.#timers.size === 0)
  }

  /** Lets asynchronous code run as far as it gets without time passing. */
  async settle(turns: number = this.#turns): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  }

  async #drive(end: Milliseconds, reached: () => boolean): Promise<boolean> {
    if (this.#driving) throw new Error('VirtualClock is being driven already: only one caller may advance it at a time')
    this.#driving = true
    try {
      await this.settle()
      for (;;) {
        if (reached()) return true
        const next = this.#timers.peek()
        if (next === undefined || next.due > end) break
        this.#timers.pop()
        if (next.due > this.#elapsed) this.#forNoTime = 0
        if (this.#forNoTime > MOST_FOR_NO_TIME) throw new Error(`time stands still at ${this.#elapsed} ms`)
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
