import type { EventRecorder, RecordedEvent } from './event-recorder.ts'

/** Keeps what was published, in order and without any de-duplication, for tests to look at. */
export class RecordingEventRecorder implements EventRecorder {
  readonly events: RecordedEvent[] = []

  publish(event: RecordedEvent): void {
    this.events.push(event)
  }

  /** The reasons published so far, for `object` when given, in order. */
  reasons(object?: { readonly metadata: { readonly uid?: string } }): string[] {
    return this.events
      .filter((event) => object === undefined || event.object.metadata.uid === object.metadata.uid)
      .map((event) => event.reason)
  }
}
