import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '@kerf/runtime'

export interface BatchWindow {
  /**
   * Returns the idle time. The window closes when this much time has passed without a new trigger. The idle time may decrease while the
   * window is open.
   */
  readonly idle: () => Milliseconds
  /** The maximum time that the window stays open. */
  readonly max: Milliseconds
  /** How often `idle` is called while the window is open. If absent, `idle` is called only when the previous idle time has passed. */
  readonly lookEvery?: Milliseconds
}

/**
 * Collects triggers in a time window, so that pods that are created together are planned together
 * (`docs/spec/pending-pods.md#batching-window`). The first trigger opens the window. A trigger with a new UID restarts the idle time, and a
 * trigger with a known UID does not. If a trigger arrives while a pass runs, the next window opens as soon as the pass ends.
 */
export class Batcher {
  readonly #clock: Clock
  readonly #window: BatchWindow
  readonly #quietSince: (triggeredAt: Milliseconds) => Milliseconds
  readonly #seen = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #state: 'closed' | 'open' | 'ripe' | 'paused' = 'closed'
  #armed = false
  /** When the last trigger with a new UID arrived. */
  #triggeredAt: Milliseconds = 0
  #idleTimer: Timer | undefined
  #maxTimer: Timer | undefined

  /**
   * `quietSince` is called when the idle time has passed, with the time of the last trigger with a new UID. It returns the time at which
   * the idle time starts. This is later than the argument if pods have arrived since then without causing a trigger.
   */
  constructor(
    clock: Clock,
    window: BatchWindow,
    quietSince: (triggeredAt: Milliseconds) => Milliseconds = (triggeredAt) => triggeredAt,
  ) {
    this.#clock = clock
    this.#window = window
    this.#quietSince = quietSince
  }

  /** Records that the object with this UID may need a node. */
  trigger(uid: string): void {
    if (this.#seen.has(uid)) return
    this.#seen.add(uid)
    switch (this.#state) {
      case 'closed':
        this.#open()
        return
      case 'open':
        this.#triggeredAt = this.#clock.monotonic()
        return
      case 'paused':
        this.#armed = true
        return
      case 'ripe':
        return
    }
  }

  /** Whether a window is ripe, which means that it has closed and its pass has not started yet. */
  get isRipe(): boolean {
    return this.#state === 'ripe'
  }

  /** Calls `listener` each time a window closes. Returns a function that removes the listener. */
  onRipe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts the pass for a ripe window. The caller must call `resume` afterwards. */
  take(): void {
    this.#seen.clear()
    this.#armed = false
    this.#state = 'paused'
  }

  /** Ends the pass. If `outcome` is `again`, the same window is ripe again at once. */
  resume(outcome: 'done' | 'again'): void {
    if (outcome === 'again') {
      this.#state = 'ripe'
      return
    }
    this.#state = 'closed'
    if (this.#armed) this.#open()
  }

  #open(): void {
    this.#armed = false
    this.#state = 'open'
    this.#maxTimer = this.#clock.timer(this.#window.max, () => this.#close())
    this.#triggeredAt = this.#clock.monotonic()
    this.#idleTimer = this.#clock.timer(this.#untilLook(this.#window.idle()), () => this.#idleEnds())
  }

  #idleEnds(): void {
    const left = this.#quietSince(this.#triggeredAt) + this.#window.idle() - this.#clock.monotonic()
    if (left > 0) this.#idleTimer = this.#clock.timer(this.#untilLook(left), () => this.#idleEnds())
    else this.#close()
  }

  /**
   * Returns the time until the next check of the idle time. With `lookEvery`, checks are more frequent, because the idle time may decrease.
   */
  #untilLook(left: Milliseconds): Milliseconds {
    return Math.min(left, this.#window.lookEvery ?? left)
  }

  #close(): void {
    this.#idleTimer?.cancel()
    this.#maxTimer?.cancel()
    this.#state = 'ripe'
    for (const listener of [...this.#listeners]) listener()
  }
}
