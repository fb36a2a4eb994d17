declare const brand: unique symbol

/** A branded number: passing the id of one kind of object as the id of another does not compile. It has no cost at run time. */
export type Id<Thing extends string> = number & { readonly [brand]: Thing }
