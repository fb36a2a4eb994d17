import type { Milliseconds } from '@kerf/apis'

/** Is told what answers of the API server say about its time. Only answers of one cluster may come to one observer. */
export interface ServerTimeObserver {
  /** The header `Date` of an answer that has just come. `sentAt`: when the request was sent, monotonic. */
  observeHeader(time: Milliseconds, sentAt: Milliseconds): void
  /** The `creationTimestamp` of an object that the server has just created for us, by a request sent at `sentAt`. */
  observeCreation(time: Milliseconds, sentAt: Milliseconds): void
}
