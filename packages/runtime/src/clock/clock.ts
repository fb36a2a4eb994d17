import type { Milliseconds } from '@kerf/apis'

export interface Timer {
  /** Stops the timer. Has no effect if the timer has already fired. */
  cancel(): void
}

/**
 * The clock that code receives as an argument. Production passes the system clock; tests and simulations pass a virtual clock. Only
 * composition roots may read the operating system's clock.
 */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. May jump. */
  now(): Milliseconds
  /** Time that only moves forward, for measuring durations. */
  monotonic(): Milliseconds
  /** Calls `fire` once, `after` milliseconds from now (at the earliest). */
  timer(after: Milliseconds, fire: () => void): Timer
  /**
   * The reason why `now()` cannot be compared with timestamps of the API (`docs/spec/time.md#clocks-that-differ`). While it is set, Kerf
   * launches nothing, and deletes nothing because of its age. Undefined if the times can be compared, and for clocks that are always right.
   */
  readonly problem?: string | undefined
}

/** Resolves after `duration`. Rejects with the signal's reason if the signal is aborted first. */
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
