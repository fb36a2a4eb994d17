import type { Milliseconds } from '@kerf/apis'

/** Receives the times that the API server reports in its responses. All responses must come from the same cluster. */
export interface ServerTimeObserver {
  /** Reports the `Date` header of a response that has just arrived. `sentAt` is the monotonic time at which the request was sent. */
  observeHeader(time: Milliseconds, sentAt: Milliseconds): void
  /** Reports the `creationTimestamp` of an object that the server has just created for a request sent at `sentAt`. */
  observeCreation(time: Milliseconds, sentAt: Milliseconds): void
}
