/**
 * Compares two resourceVersions of the same API server. Negative if `a` is older. They are decimal integers of any length: a
 * shorter one is older, and two of equal length are compared as text. This is exact beyond 2^53, and allocates no memory.
 */
export const compareResourceVersions = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
