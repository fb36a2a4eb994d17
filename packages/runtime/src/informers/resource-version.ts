/**
 * Compares resourceVersions of one API server; negative if `a` is older. They are decimal integers of any length, so a
 * shorter one is older, and equal lengths compare as text. This is exact beyond 2^53 and allocates nothing.
 */
export const compareResourceVersions = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
