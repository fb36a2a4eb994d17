import type { ConditionEventReason, CoreEventReason } from '@kerf/apis'
import type { EventRecorder, RecordedEvent } from '@kerf/runtime'

/** An Event whose reason is in the catalogue (`packages/apis/src/core-events.ts`), or an Event about a status condition. */
export type CoreEvent = RecordedEvent<CoreEventReason | ConditionEventReason>

/** Publishes Events whose reasons are in the catalogue. */
export type CoreEventRecorder = EventRecorder<CoreEventReason | ConditionEventReason>
