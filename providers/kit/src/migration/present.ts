type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined | null> }

/** Returns the fields that are neither undefined nor null. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Present<T>
