import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import { VIRTUAL_EPOCH } from '../clock/virtual-clock.ts'

/**
 * A clock for tests with real sockets, which a test cannot advance step by step. Every wait ends in the next iteration of the event
 * loop, and time jumps to the end of the wait. `waits` records the requested durations.
 */
export class HastyClock implements Clock {
  readonly waits: Milliseconds[] = []
  #elapsed = 0

  now(): Milliseconds {
    return VIRTUAL_EPOCH + this.#elapsed
  }

  monotonic(): Milliseconds {
    return this.#elapsed
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    this.waits.push(after)
    const due = this.#elapsed + after
    const handle = setImmediate(() => {
      this.#elapsed = Math.max(this.#elapsed, due)
      fire()
    })
    return { cancel: () => clearImmediate(handle) }
  }
}
