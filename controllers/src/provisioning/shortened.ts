/** How many names a log line lists. */
const NAMED = 5

/** The first names of a list and how many more there are, for a log line. */
export const shortened = (names: readonly string[]): string => {
  const more = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}
