/**
 * Orders resourceVersions of one API server: negative when `a` is older. They are decimal integers of any length, so the
 * shorter is the older one, and equal lengths compare as text; this is exact beyond 2^53 and allocates nothing.
 */
export const compareResourceVersions = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
