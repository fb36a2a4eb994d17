import type { ApiCall, CloudCall } from '@kerf/sandbox'

/** What invariants hear besides what they read. */
export interface Listener {
  /** A call leaves Kerf. It may be long on its way, or never arrive. */
  begins?(call: ApiCall): void
  /** A call arrives at the API server. */
  acts?(call: ApiCall): void
  acted?(call: ApiCall): void
  cloudCall?(call: CloudCall): void
  /** Kerf makes a call to AWS, by the name that the fake has for it. */
  awsCall?(call: string): void
  /** Kerf has taken a message out of the interruption queue for good. */
  messageDeleted?(body: string): void
  /** Somebody has asked for the end of an instance that nobody had asked for before. */
  ending?(providerID: string): void
  /** An invariant has found out why something happened. */
  remarked?(line: string, topic: string): void
}
