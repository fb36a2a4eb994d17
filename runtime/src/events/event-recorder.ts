import type { KubeObject, Milliseconds } from '@kerf/apis'

/** `Reason`: the closed set of reasons that a part publishes, such as `CoreEventReason`. */
export interface RecordedEvent<Reason extends string = string> {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: Reason
  readonly message: string
  /**
   * Events equal in reason and in these values are one for the length of `dedupeFor`, whatever object they are about.
   * Without values an event is always published. `docs/spec/events.md#publishing`.
   */
  readonly dedupeValues?: readonly string[]
  /** Default 2 minutes. */
  readonly dedupeFor?: Milliseconds
  /** A token bucket shared by all events that name it, e.g. upstream's 5 a second with a burst of 10 for `Nominated`. */
  readonly rateLimit?: { readonly bucket: string; readonly qps: number; readonly burst: number }
}

/** Publishes Kubernetes Events without ever making the caller wait or fail. */
export interface EventRecorder<Reason extends string = string> {
  publish(event: RecordedEvent<Reason>): void
}
