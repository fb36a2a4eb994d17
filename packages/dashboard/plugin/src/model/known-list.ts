/** A list from Headlamp. `items` is `null` while it is unknown: before the response, or after an error. */
export interface KnownList<Item> {
  readonly items: readonly Item[] | null
  readonly error: unknown
  /** True before the first response. */
  readonly isLoading: boolean
}

/**
 * Converts the result of Headlamp's own list. If the API server refuses the list (403) or does not respond, Headlamp
 * 0.45's `useList` returns no items, although the list may not be empty.
 */
export const knownList = <Item>(items: readonly Item[] | null, error: unknown): KnownList<Item> => {
  const isAnswered = items !== null && (items.length > 0 || error === null || error === undefined)
  const isFailed = error !== null && error !== undefined
  return { items: isAnswered ? items : null, error, isLoading: !isAnswered && !isFailed }
}
