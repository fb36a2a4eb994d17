import { filterTest } from './list-filter.ts'

const DEFAULT_PAGE = 500

/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextPageToken?: string
}

/**
 * Returns the page that the query requests. A page token is the index of the next item.
 *
 * @param largest the maximum page size, which is also the default
 */
export const takePage = <T>(items: readonly T[], query: URLSearchParams, largest = DEFAULT_PAGE): ListPage<T> => {
  const test = filterTest(query.get('filter'))
  const matching = items.filter(test)
  const size = Math.min(Number(query.get('maxResults') ?? largest), largest)
  const from = Number(query.get('pageToken') ?? 0)
  const to = from + size
  return { items: matching.slice(from, to), ...(to < matching.length ? { nextPageToken: `${to}` } : {}) }
}
