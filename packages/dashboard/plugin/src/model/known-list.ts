/** A list from the host. `items` is `null` while it is unknown: before the answer, or after an error. */
export interface KnownList<Item> {
  readonly items: readonly Item[] | null
  readonly error: unknown
}

/**
 * Converts the host's own list. Headlamp 0.45's `useList` gives no items if the API server refuses (403) or does not
 * answer, which does not mean an empty list.
 */
export const knownList = <Item>(items: readonly Item[] | null, error: unknown): KnownList<Item> => {
  const isAnswered = items !== null && (items.length > 0 || error === null || error === undefined)
  return { items: isAnswered ? items : null, error }
}
