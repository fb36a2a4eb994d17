import type { ApiCall, CloudCall } from '@kerf/sandbox'

/** The notifications that invariants receive. In addition, they can read the objects. */
export interface Listener {
  /** Called when a call leaves Kerf. It may arrive late or never. */
  begins?(call: ApiCall): void
  /** Called when a call arrives at the API server. */
  acts?(call: ApiCall): void
  /** Called after a call has taken effect. */
  acted?(call: ApiCall): void
  cloudCall?(call: CloudCall): void
  /** Called when Kerf has discarded the notice that the instance with this id will be interrupted. */
  noticeDiscarded?(instanceId: string): void
  /** Called when an instance's termination is requested for the first time. */
  terminating?(providerID: string): void
  /** Called when an invariant has determined why an action happened. */
  remarked?(line: string, topic: string): void
}
