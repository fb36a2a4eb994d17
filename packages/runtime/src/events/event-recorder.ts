import type { KubeObject, Milliseconds } from '@kerf/apis'

/** `Reason` is the closed set of reasons that a component publishes, such as `CoreEventReason`. */
export interface RecordedEvent<Reason extends string = string> {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: Reason
  readonly message: string
  /**
   * Events with the same reason and values count as duplicates for `dedupeFor`, even if they are about different objects.
   * An event without values is always published. `docs/spec/events.md#publishing`.
   */
  readonly dedupeValues?: readonly string[]
  /** Default 2 minutes. */
  readonly dedupeFor?: Milliseconds
  /** A token bucket shared by all events that name it. For example, upstream allows 5 `Nominated` events per second with a burst of 10. */
  readonly rateLimit?: { readonly bucket: string; readonly qps: number; readonly burst: number }
}

/** Publishes Kubernetes Events. The caller never waits, and publishing never throws. */
export interface EventRecorder<Reason extends string = string> {
  publish(event: RecordedEvent<Reason>): void
}
