/**
 * Numbers with a unit. A plain number is assignable to each of them, and arithmetic returns plain numbers. Assigning a number with one unit
 * to a type with another unit is a compile error.
 */
type InUnit<Name extends string> = number & { readonly unit?: Name }

/** Milliseconds since the Unix epoch, or a duration in milliseconds. */
export type Milliseconds = InUnit<'milliseconds'>

/** A duration in seconds. Fields of Kubernetes objects have this unit if their names end with `Seconds`. */
export type Seconds = InUnit<'seconds'>

/** A price in US dollars per hour. */
export type UsdPerHour = InUnit<'USD per hour'>
