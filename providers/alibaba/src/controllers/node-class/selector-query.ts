import type { Tag } from '../../api/actions.ts'

/** A term that selects resources by ID, name or tags. */
export interface SelectorTerm {
  readonly id?: string
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
}

/** Returns the tags for an API query. The value `*` matches any value. */
export const tagQuery = (tags: SelectorTerm['tags']): readonly Tag[] =>
  Object.entries(tags ?? {}).map(([Key, Value]) => (Value === '*' ? { Key } : { Key, Value }))

/** Returns true if the term has no effective field. For `tags: {}` alone, the API would return all resources. */
export const selectsNothing = ({ id = '', name = '', tags = {} }: SelectorTerm): boolean =>
  id === '' && name === '' && Object.keys(tags).length === 0

const termText = (term: SelectorTerm): string => JSON.stringify(term)

/** Returns a sentence that lists the terms without a match, or undefined if every term has a match. */
export const unmatchedText = (what: string, field: string, unmatched: readonly SelectorTerm[]): string | undefined => {
  if (unmatched.length === 0) return undefined
  const empty = unmatched.some(selectsNothing) ? '; a term with empty tags selects nothing' : ''
  return `no ${what} matches ${unmatched.map(termText).join(', ')}${empty}; correct spec.${field}`
}
