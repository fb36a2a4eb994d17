import type { ConditionEventReason, CoreEventReason, EventDefinition } from '@kerf/apis'

declare const declared: unique symbol

/** A reason from the Events that a provider declares. Only `declareEvents` makes it. */
export type DeclaredReason = string & { readonly [declared]: true }

/**
 * The reasons that a provider can publish: its own, those of the core, and those of conditions. No other text is accepted, so
 * every Event is in `docs/reference/events.md`.
 */
export type ProviderEventReason = DeclaredReason | CoreEventReason | ConditionEventReason

/** The Events that a provider publishes, as its descriptor gives them to the reference page. */
export interface DeclaredEvents<Reason extends string = string> {
  readonly definitions: Readonly<Record<Reason, EventDefinition>>
  /** Returns a reason in the form that the recorder accepts. */
  reason(reason: Reason): DeclaredReason
}

/** Declares the Events of a provider by reason. Its descriptor names the result. */
export const declareEvents = <const Table extends Readonly<Record<string, EventDefinition>>>(
  definitions: Table,
): DeclaredEvents<keyof Table & string> => ({ definitions, reason: (reason) => reason as DeclaredReason })
