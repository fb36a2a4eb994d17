declare const brand: unique symbol

/** A number that stands for one thing only: passing it where another is meant does not compile. It costs nothing when run. */
type Id<Thing extends string> = number & { readonly [brand]: Thing }

/** Interned constraints of a claim (`ClaimConstraintsTable`). */
export type ConstraintsId = Id<'claim constraints'>
/** Interned requirements; equal sets have equal numbers, the empty one has 0. */
export type RequirementsId = Id<'requirements'>
/** The number of the empty set of requirements. */
export const NO_REQUIREMENTS = 0 as RequirementsId
/** Interned tolerations (`TolerationSets`). */
export type TolerationsId = Id<'tolerations'>
