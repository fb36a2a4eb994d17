/** One page of a list, and what the next one is asked for with; nothing after the last. */
export interface Page<T, Next> {
  readonly items: readonly T[]
  readonly next: Next | undefined
}

/**
 * All items of a list that comes in pages, to the end. A page that fails fails the whole, because a list that is not whole
 * says that something is gone (`docs/spec/provider-contract.md#r16`).
 *
 * @throws what `read` throws; Error when a page names a next one that was read already.
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
    if (next !== undefined && seen.has(next)) throw new Error(`the list goes in circles: page ${next} comes again`)
    if (next !== undefined) seen.add(next)
  } while (next !== undefined)
  return items
}
