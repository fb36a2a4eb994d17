import { readFileSync } from 'node:fs'

/** The selection of test files that tools/test.mjs made for this run (tests/support/selection/choose-tests.ts). */
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

/** Returns the selection for this run. A run that was not started by tools/test.mjs includes every requested file. */
export const chosenTests = (): ChosenTests => choice
