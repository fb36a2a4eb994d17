/**
 * Seeds that fail because of a fault that README.md lists as known. They neither fail the tests nor count
 * as having caught a mutant. `npm run sim` shows them as any other. There are none.
 */
export const KNOWN: ReadonlySet<number> = new Set()
