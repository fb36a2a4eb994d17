import type { Timers } from '../model/throttle.ts'

/** The browser's timers. */
export const browserTimers: Timers = {
  set: (run, milliseconds) => setTimeout(run, milliseconds),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}
