import type { ConditionEventReason, CoreEventReason, EventDefinition } from '@kerf/apis'

declare const declared: unique symbol

/** The reason of an Event that a provider has declared. Only `declareEvents` creates such values. */
export type DeclaredReason = string & { readonly [declared]: true }

/**
 * The reasons that a provider can use for Events: its own, those of the core, and those of conditions. The type rejects any other text, so
 * that `docs/reference/events.md` contains every Event.
 */
export type ProviderEventReason = DeclaredReason | CoreEventReason | ConditionEventReason

/** The Events that a provider publishes. The reference page gets them from the provider's descriptor. */
export interface DeclaredEvents<Reason extends string = string> {
  readonly definitions: Readonly<Record<Reason, EventDefinition>>
  /** Returns a declared reason as the type that the event recorder requires. */
  reason(reason: Reason): DeclaredReason
}

/** Declares the Events of a provider, keyed by reason. The provider's descriptor contains the result. */
export const declareEvents = <const Table extends Readonly<Record<string, EventDefinition>>>(
  definitions: Table,
): DeclaredEvents<keyof Table & string> => ({ definitions, reason: (reason) => reason as DeclaredReason })
