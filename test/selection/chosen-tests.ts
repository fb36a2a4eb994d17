import { readFileSync } from 'node:fs'

/** What scripts/test.mjs chose for this run (test/selection/choose-tests.ts). */
export interface ChosenTests {
  /** Test files that do not run. */
  readonly excluded: readonly string[]
  /** The others, those that take longest first. */
  readonly longestFirst: readonly string[]
}

const readChoice = (): ChosenTests => {
  const file = process.env['KERF_TEST_CHOICE']
  if (file === undefined) return { excluded: [], longestFirst: [] }
  return JSON.parse(readFileSync(file, 'utf8')) as ChosenTests
}

const choice = readChoice()

/** Returns the choice of this run; a run that was started otherwise has every file that it is asked for. */
export const chosenTests = (): ChosenTests => choice
