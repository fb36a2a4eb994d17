declare const brand: unique symbol

/** A number that stands for one thing only: passing it where another is meant does not compile. It costs nothing when run. */
export type Id<Thing extends string> = number & { readonly [brand]: Thing }
