import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from './clock.ts'

/** The longest delay that Node's timers support. A longer delay would end at once, so it is split into several. */
const LONGEST_TIMER = 2_147_483_647

/** The operating system's time. Composition roots create one and pass it down. */
export class SystemClock implements Clock {
  now(): Milliseconds {
    return Date.now()
  }

  monotonic(): Milliseconds {
    return performance.now()
  }

  timer(after: Milliseconds, fire: () => void): Timer {
    // `setImmediate` fires in the next iteration of the event loop, after pending input. A timeout would take at least a
    // millisecond, and longer on a busy machine.
    if (after <= 0) {
      const immediate = setImmediate(fire)
      return { cancel: () => clearImmediate(immediate) }
    }
    const due = this.monotonic() + Math.max(0, after)
    let handle: NodeJS.Timeout
    const arm = (): void => {
      const left = due - this.monotonic()
      handle = setTimeout(left > LONGEST_TIMER ? arm : fire, Math.min(Math.max(0, left), LONGEST_TIMER))
    }
    arm()
    return { cancel: () => clearTimeout(handle) }
  }
}
