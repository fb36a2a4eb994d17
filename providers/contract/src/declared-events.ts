import type { ConditionEventReason, CoreEventReason, EventDefinition } from '@kerf/apis'

declare const declared: unique symbol

/** A reason of an Event that a provider has declared. Only `declareEvents` creates such values. */
export type DeclaredReason = string & { readonly [declared]: true }

/**
 * The reasons with which a provider can publish Events: its own, those of the core, and those of conditions. The type accepts no other
 * text, so `docs/reference/events.md` contains every Event.
 */
export type ProviderEventReason = DeclaredReason | CoreEventReason | ConditionEventReason

/** The Events that a provider publishes. Its descriptor passes them to the reference page. */
export interface DeclaredEvents<Reason extends string = string> {
  readonly definitions: Readonly<Record<Reason, EventDefinition>>
  /** Returns a declared reason in the type that the event recorder accepts. */
  reason(reason: Reason): DeclaredReason
}

/** Declares the Events of a provider, keyed by reason. The provider's descriptor contains the result. */
export const declareEvents = <const Table extends Readonly<Record<string, EventDefinition>>>(
  definitions: Table,
): DeclaredEvents<keyof Table & string> => ({ definitions, reason: (reason) => reason as DeclaredReason })
