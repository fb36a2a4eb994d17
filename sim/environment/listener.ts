import type { ApiCall, CloudCall } from '@kerf/sandbox'

/** What invariants hear besides what they read. */
export interface Listener {
  /** A call leaves Kerf. It may take long to arrive, or never arrive. */
  begins?(call: ApiCall): void
  /** A call arrives at the API server. */
  acts?(call: ApiCall): void
  /** A call has taken effect. */
  acted?(call: ApiCall): void
  cloudCall?(call: CloudCall): void
  /** Kerf calls AWS. Calls are named as in the fake, for instance `createFleet`. */
  awsCall?(call: string): void
  /** Kerf has deleted a message from the interruption queue. */
  messageDeleted?(body: string): void
  /** The first request to terminate this instance. */
  terminating?(providerID: string): void
  /** An invariant has found out why something happened. */
  remarked?(line: string, topic: string): void
}
