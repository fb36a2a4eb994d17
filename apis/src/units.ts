/**
 * Numbers with a unit. A plain number may stand for each of them, and arithmetic gives a plain number; a number of one unit
 * where another is asked for does not compile.
 */
type InUnit<Name extends string> = number & { readonly unit?: Name }

/** Milliseconds since the Unix epoch, or a duration. */
export type Milliseconds = InUnit<'milliseconds'>

/** A duration, as the fields of Kubernetes objects have it that end with `Seconds`. */
export type Seconds = InUnit<'seconds'>

/** A price in US dollars per hour. */
export type UsdPerHour = InUnit<'USD per hour'>
