/**
 * The maximum number of attempts, because each may cost as much as a decision. Items that have not been checked after these attempts are
 * blamed together.
 */
const MOST_ATTEMPTS = 200

/** The items for which an attempt throws, and their errors. */
export interface Culprits<Item> {
  readonly errors: ReadonlyMap<Item, unknown>
  /** Items that were blamed together with others because no attempts were left. They may be valid. */
  readonly unsure: ReadonlySet<Item>
}

/**
 * Finds the items for which `attempt` throws. By bisection, it first finds items that fail alone, and then items that fail only together.
 * `attempt` does not throw for the remaining items.
 */
export const findCulprits = <Item>(
  items: readonly Item[],
  attempt: (items: readonly Item[]) => void,
): Culprits<Item> => {
  const errors = new Map<Item, unknown>()
  const unsure = new Set<Item>()
  let attempts = 0
  const accepted: Item[] = []
  const look = (part: readonly Item[], isTogether: boolean): void => {
    if (part.length === 0) return
    attempts++
    const error = catchError(() => attempt(isTogether ? [...accepted, ...part] : part))
    if (error === undefined) {
      if (isTogether) accepted.push(...part)
      return
    }
    if (part.length === 1 || attempts >= MOST_ATTEMPTS) {
      for (const item of part) {
        errors.set(item, error.thrown)
        if (part.length > 1) unsure.add(item)
      }
      return
    }
    const middle = part.length >> 1
    look(part.slice(0, middle), isTogether)
    look(part.slice(middle), isTogether)
  }
  look(items, false)
  if (attempts > 1) {
    const rest = items.filter((item) => !errors.has(item))
    if (errors.size === 0 || catchError(() => attempt(rest)) !== undefined) look(rest, true)
  }
  return { errors, unsure }
}

/** Returns what `attempt` throws; `undefined` if it does not throw. */
export const catchError = (attempt: () => void): { readonly thrown: unknown } | undefined => {
  try {
    attempt()
    return undefined
  } catch (thrown) {
    return { thrown }
  }
}
