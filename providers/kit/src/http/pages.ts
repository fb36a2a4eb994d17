import { providerErrors } from '@kerf/provider-contract'

/** One page of a list, and the token of the next page. The last page has no token. */
export interface Page<T, Next> {
  readonly items: readonly T[]
  readonly next: Next | undefined
}

/**
 * Returns all items of a paged list. If one page fails, the whole list fails, because items that are missing in the result would count as
 * gone (`docs/spec/provider-contract.md#r16`).
 *
 * @throws the error of `read`; Error if the token of the next page was already used.
 */
export const readPages = async <T, Next extends string>(
  read: (next: Next | undefined) => Promise<Page<T, Next>>,
): Promise<readonly T[]> => {
  const items: T[] = []
  const seen = new Set<Next>()
  let next: Next | undefined
  do {
    const page = await read(next)
    items.push(...page.items)
    next = page.next
    if (next !== undefined && seen.has(next))
      throw providerErrors.IncompleteAnswer({ problem: `the list does not end: page ${next} is repeated` })
    if (next !== undefined) seen.add(next)
  } while (next !== undefined)
  return items
}
