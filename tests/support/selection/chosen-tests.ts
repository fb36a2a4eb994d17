import { readFileSync } from 'node:fs'

/** The test files that tools/test.mjs chose for this run (tests/support/selection/choose-tests.ts). */
export interface ChosenTests {
  /** The test files that do not run. */
  readonly excluded: readonly string[]
  /** The test files that run, the longest first. */
  readonly longestFirst: readonly string[]
}

const readChoice = (): ChosenTests => {
  const file = process.env['KERF_TEST_CHOICE']
  if (file === undefined) return { excluded: [], longestFirst: [] }
  return JSON.parse(readFileSync(file, 'utf8')) as ChosenTests
}

const choice = readChoice()

/** Returns the choice of this run. A run without tools/test.mjs includes every requested file. */
export const chosenTests = (): ChosenTests => choice
