/**
 * Numbers with a unit. A plain number is assignable to each of them, and arithmetic returns plain numbers. A number with another
 * unit does not compile.
 */
type InUnit<Name extends string> = number & { readonly unit?: Name }

/** Milliseconds since the Unix epoch, or a duration. */
export type Milliseconds = InUnit<'milliseconds'>

/** A duration, as in fields of Kubernetes objects with names that end with `Seconds`. */
export type Seconds = InUnit<'seconds'>

/** A price in US dollars per hour. */
export type UsdPerHour = InUnit<'USD per hour'>
