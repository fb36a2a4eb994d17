import { type TestFunction, test } from 'vitest'
import { oneIn } from '../sampled.ts'

/**
 * Returns a function that defines tests. If `KERF_NIGHTLY` is set, all of them run; otherwise one in `share` runs, and the others are
 * skipped. `KERF_SAMPLE_SEED` determines with which test of the file the count begins, so after a few commits each of them has run.
 * `matrix` is the name of the group of tests.
 */
export const testOneIn = (share: number, matrix: string): ((name: string, run: TestFunction) => void) => {
  const isDrawn = oneIn(share, matrix)
  return (name, run) => test.skipIf(!isDrawn())(name, run)
}
