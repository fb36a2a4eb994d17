/** What a page says about a list without rows. */
export type EmptyKey = 'loading' | 'notKnown' | 'none'

/**
 * Returns what to say about a list without rows. Only a list that is known can be empty. Before the response, the page says
 * that it is loading, and after an error, that the list is not known.
 */
export const emptyKey = (isKnown: boolean, isLoading: boolean): EmptyKey =>
  isKnown ? 'none' : isLoading ? 'loading' : 'notKnown'
