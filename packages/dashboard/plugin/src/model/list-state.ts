/** Identifies the text that a page shows for a list without rows. */
export type EmptyKey = 'loading' | 'notKnown' | 'none'

/**
 * Returns which text a page shows for a list without rows: `none` if the list is known, `loading` before the response, and `notKnown` after
 * an error.
 */
export const emptyKey = (isKnown: boolean, isLoading: boolean): EmptyKey =>
  isKnown ? 'none' : isLoading ? 'loading' : 'notKnown'
