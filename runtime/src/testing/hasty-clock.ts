import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import { VIRTUAL_EPOCH } from '../clock/virtual-clock.ts'

/**
 * A clock for tests that talk over real sockets and cannot be driven step by step: whoever waits is served at the next
 * turn of the event loop, and time jumps to where he wanted to be. `waits` tells what was asked for.
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
