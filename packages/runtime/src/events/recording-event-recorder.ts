import type { EventRecorder, RecordedEvent } from './event-recorder.ts'

/** Records published events in order, without deduplication, for assertions in tests. */
export class RecordingEventRecorder implements EventRecorder {
  readonly events: RecordedEvent[] = []

  publish(event: RecordedEvent): void {
    this.events.push(event)
  }

  /** Returns the reasons published so far in order, for `object` if given. */
  reasons(object?: { readonly metadata: { readonly uid?: string } }): string[] {
    return this.events
      .filter((event) => object === undefined || event.object.metadata.uid === object.metadata.uid)
      .map((event) => event.reason)
  }
}
