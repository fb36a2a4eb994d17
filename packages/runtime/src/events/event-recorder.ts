import type { KubeObject, Milliseconds } from '@kerf/apis'

/** An Event to publish. `Reason` is the set of reasons that a component uses, such as `CoreEventReason`. */
export interface RecordedEvent<Reason extends string = string> {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: Reason
  readonly message: string
  /**
   * Within `dedupeFor`, the recorder treats Events with the same reason and the same values as equal, even if they are about different
   * objects. An Event without values is always published (`docs/spec/events.md#publishing`).
   */
  readonly dedupeValues?: readonly string[]
  /** How long the recorder drops equal Events. Default 2 minutes. */
  readonly dedupeFor?: Milliseconds
  /**
   * A token bucket, shared by all Events with the same `bucket`. For example, upstream allows 5 `Nominated` Events per second with a burst
   * of 10.
   */
  readonly rateLimit?: { readonly bucket: string; readonly qps: number; readonly burst: number }
}

/** Publishes Kubernetes Events. Callers do not wait, and publishing does not throw. */
export interface EventRecorder<Reason extends string = string> {
  publish(event: RecordedEvent<Reason>): void
}
