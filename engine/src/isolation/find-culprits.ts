/** Attempts until what is left is blamed as a whole: each may cost what a decision costs. */
const MOST_ATTEMPTS = 200

/** Items that make an attempt throw, with what it threw. */
export interface Culprits<Item> {
  readonly errors: ReadonlyMap<Item, unknown>
  /** Those that were blamed together with others, when too many attempts had been made: perhaps they are sound. */
  readonly unsure: ReadonlySet<Item>
}

/**
 * Which of the items make `attempt` throw: first each for itself, which costs the logarithm of their number for each, then
 * those that throw together with others that do not. Without the culprits `attempt` does not throw.
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
    const error = errorOf(() => attempt(isTogether ? [...accepted, ...part] : part))
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
    if (errors.size === 0 || errorOf(() => attempt(rest)) !== undefined) look(rest, true)
  }
  return { errors, unsure }
}

/** What was thrown, if anything was. */
export const errorOf = (attempt: () => void): { readonly thrown: unknown } | undefined => {
  try {
    attempt()
    return undefined
  } catch (thrown) {
    return { thrown }
  }
}
