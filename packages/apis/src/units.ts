/**
 * Numbers with a unit. A plain number is assignable to each of them, and arithmetic returns plain numbers. If a number has another
 * unit, the code does not compile.
 */
type InUnit<Name extends string> = number & { readonly unit?: Name }

/** Milliseconds since the Unix epoch, or a duration in milliseconds. */
export type Milliseconds = InUnit<'milliseconds'>

/** A duration in seconds. Fields of Kubernetes objects have this unit if their names end with `Seconds`. */
export type Seconds = InUnit<'seconds'>

/** A price in US dollars per hour. */
export type UsdPerHour = InUnit<'USD per hour'>
