import type { Timers } from '../model/throttle.ts'

/** The timers of the browser. */
export const browserTimers: Timers = {
  set: (run, milliseconds) => setTimeout(run, milliseconds),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}
