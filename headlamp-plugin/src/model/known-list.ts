/** A list as the host follows it. `items` is `null` while nothing is known: before the answer, and where there is none. */
export interface KnownList<Item> {
  readonly items: readonly Item[] | null
  readonly error: unknown
}

/**
 * What the host's own list tells. It gives no items where the API server refuses or does not answer (Headlamp 0.45's `useList` after a
 * 403): that is not an empty list.
 */
export const knownList = <Item>(items: readonly Item[] | null, error: unknown): KnownList<Item> => {
  const isAnswered = items !== null && (items.length > 0 || error === null || error === undefined)
  return { items: isAnswered ? items : null, error }
}
