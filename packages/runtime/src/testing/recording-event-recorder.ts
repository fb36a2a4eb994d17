import type { EventRecorder, RecordedEvent } from '../events/event-recorder.ts'

/** Records published Events in order and without deduplication, for assertions in tests. */
export class RecordingEventRecorder implements EventRecorder {
  readonly events: RecordedEvent[] = []

  publish(event: RecordedEvent): void {
    this.events.push(event)
  }

  /** Returns the reasons of the Events published so far, in order. With `object`, only those about this object. */
  reasons(object?: { readonly metadata: { readonly uid?: string } }): string[] {
    return this.events
      .filter((event) => object === undefined || event.object.metadata.uid === object.metadata.uid)
      .map((event) => event.reason)
  }
}
