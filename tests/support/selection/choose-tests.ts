// Run by tools/test.mjs: prints, as JSON, which test files to run and why.
// node tests/support/selection/choose-tests.ts RING [--part K/N] [FILTER …]
import { execFileSync } from 'node:child_process'
import { secondsVariable } from '../../../tools/seconds-variable.mjs'
import { root } from '../../../tools/source-files.ts'
import { processorSeconds } from '../costs/table.ts'
import { SUITES } from '../suites.ts'
import { changedFiles } from './changed-files.ts'
import { choiceText } from './choice-text.ts'
import { chooseFiles } from './choose.ts'
import { takePart } from './part.ts'
import { parseRunArguments } from './run-arguments.ts'
import { readTestTree } from './tree.ts'

/** The duration in seconds that is assumed for a file without a row in the table of costs. */
const UNKNOWN_SECONDS = 1
/** The number of test files that run at once, and the number of cores that they share (vitest.config.ts). */
const WORKERS = 3
const CORES = 2

const refuse = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

/** Returns the result of `read`. If it throws because an argument is invalid, exits with a one-line message. */
const orRefuse = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const { ring, part, filters } = orRefuse(() => parseRunArguments(process.argv.slice(2)))
// The value is checked in every ring of test files, so that an invalid value fails even if the ring does not use it.
const budget = orRefuse(() => secondsVariable(process.env, 'KERF_TEST_BUDGET_SECONDS', 900))

const { testFiles, expensive, graph, row, needs } = readTestTree()
const wallSeconds = (file: string): number => {
  const known = row(file)
  return known === undefined ? UNKNOWN_SECONDS : Math.max(processorSeconds(known) / CORES, known.wallSeconds / WORKERS)
}
const together = (files: readonly string[]): number => files.reduce((sum, file) => sum + wallSeconds(file), 0)

const ofEveryRun = testFiles.filter((file) => !expensive.has(file))

/** Returns the test files that `.ci/run` runs in addition to `npm test`, and the summary. */
const ofChange = (): { readonly files: readonly string[]; readonly text: string } => {
  const changed = changedFiles(root, process.env['KERF_CI_BASE'])
  const budgetSeconds = budget - together(ofEveryRun)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const choices = chooseFiles({
    suites: SUITES,
    testFiles,
    changed: changed.paths,
    graph,
    commit,
    wallSeconds,
    budgetSeconds,
  })
  return {
    files: [...ofEveryRun, ...choices.chosen.map(({ file }) => file)],
    text: choiceText(changed, choices, budgetSeconds),
  }
}

const choose = (): { readonly files: readonly string[]; readonly text: string } => {
  // With filters, expensive files can be selected as well.
  if (filters.length > 0) {
    const files = testFiles.filter((file) => filters.some((filter) => file.includes(filter)))
    return { files, text: '' }
  }
  if (ring === 'test') return { files: ofEveryRun, text: '' }
  if (ring === 'change') return ofChange()
  return part === undefined ? { files: testFiles, text: '' } : takePart(part, testFiles, wallSeconds)
}

const chosen = orRefuse(choose)

process.stdout.write(
  JSON.stringify({
    ...chosen,
    testFiles,
    expectedSeconds: together(chosen.files),
    needs: Object.fromEntries(chosen.files.map((file) => [file, needs(file)])),
    longestFirst: chosen.files.toSorted((a, b) => (row(b)?.wallSeconds ?? 0) - (row(a)?.wallSeconds ?? 0)),
  }),
)
