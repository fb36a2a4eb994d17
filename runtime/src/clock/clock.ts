import type { Milliseconds } from '@kerf/apis'

export interface Timer {
  /** Stops the timer; a timer that has fired ignores it. */
  cancel(): void
}

/**
 * Time as an argument. Production passes the system clock, tests and simulations a virtual one; nothing below the
 * composition root may ask the operating system.
 */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. May jump. */
  now(): Milliseconds
  /** Time that only moves forward, for measuring durations. */
  monotonic(): Milliseconds
  /** Calls `fire` once, `after` milliseconds from now (at the earliest). */
  timer(after: Milliseconds, fire: () => void): Timer
  /**
   * Why `now()` cannot be compared with timestamps of the API: then nothing may be launched, and nothing ended because its
   * time is over (`docs/spec/time.md#clocks-that-differ`). Undefined while it can, and for clocks that are never wrong.
   */
  readonly problem?: string | undefined
}

/** Resolves after `duration`; rejects with the signal's reason when it is aborted first. */
export const sleep = (clock: Clock, duration: Milliseconds, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = (): void => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = clock.timer(duration, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
