/** Returns the names that are only in `after`, sorted. */
export const newNames = (before: readonly string[], after: readonly string[]): readonly string[] => {
  const known = new Set(before)
  return after.filter((name) => !known.has(name)).toSorted()
}
