/** The maximum number of names in a log line. */
const NAMED = 5

/** Returns the first names of a list, and the number of remaining names, as text for a log line. */
export const shortened = (names: readonly string[]): string => {
  const more = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}
