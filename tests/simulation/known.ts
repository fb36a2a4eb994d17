/**
 * Seeds that fail because of a bug that README.md lists as known. They do not fail the tests, and they do not count as catching a mutant.
 * `npm run sim` reports them like any other seed.
 */
export const KNOWN: ReadonlySet<number> = new Set()
