import type { ConditionEventReason, CoreEventReason } from '@kerf/apis'
import type { EventRecorder, RecordedEvent } from '@kerf/runtime'

/** An Event with a reason from the catalogue (`apis/src/core-events.ts`), or one about a status condition. */
export type CoreEvent = RecordedEvent<CoreEventReason | ConditionEventReason>

/** Publishes Events of the catalogue. */
export type CoreEventRecorder = EventRecorder<CoreEventReason | ConditionEventReason>
