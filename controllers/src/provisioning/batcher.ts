import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '@kerf/runtime'

export interface BatchWindow {
  /** The window closes after this much silence. */
  readonly idle: Milliseconds
  /** It closes at the latest after this. */
  readonly max: Milliseconds
}

/**
 * Collects triggers for a while, so that pods that come together are placed together
 * (`docs/spec/pending-pods.md#batching-window`). The first trigger opens the window; another uid restarts the idle
 * time, a uid already seen does not. Triggers that come while a pass runs open the next window as soon as it ends.
 */
export class Batcher {
  readonly #clock: Clock
  readonly #window: BatchWindow
  readonly #quietSince: (triggeredAt: Milliseconds) => Milliseconds
  readonly #seen = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #state: 'closed' | 'open' | 'ripe' | 'paused' = 'closed'
  #armed = false
  /** When a uid last came that was new to the window. */
  #triggeredAt: Milliseconds = 0
  #idleTimer: Timer | undefined
  #maxTimer: Timer | undefined

  /**
   * `quietSince`: since when nothing has come that a pass would miss, told when the last new uid came; asked when a window would
   * close. Idle time counts from there.
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

  /** Something that may need a node, by its uid. */
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

  /** A window has closed and waits to be taken. */
  get isRipe(): boolean {
    return this.#state === 'ripe'
  }

  /** Called each time a window closes. Returns the way to stop. */
  onRipe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts the pass for a ripe window. `resume` must follow. */
  take(): void {
    this.#seen.clear()
    this.#armed = false
    this.#state = 'paused'
  }

  /** The pass has ended: for good, or to be repeated at once. */
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
    this.#idleTimer = this.#clock.timer(this.#window.idle, () => this.#idleEnds())
  }

  #idleEnds(): void {
    const left = this.#quietSince(this.#triggeredAt) + this.#window.idle - this.#clock.monotonic()
    if (left > 0) this.#idleTimer = this.#clock.timer(left, () => this.#idleEnds())
    else this.#close()
  }

  #close(): void {
    this.#idleTimer?.cancel()
    this.#maxTimer?.cancel()
    this.#state = 'ripe'
    for (const listener of [...this.#listeners]) listener()
  }
}
