import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../tools/source-files.ts'
import { copyTree } from '../../support/mutation/tree.ts'
import type { Mutant } from './mutant.ts'
import { ReachingTests } from './reaching-tests.ts'

/** The verdict of the tests of `npm test` on a deliberate bug. */
export interface TestVerdict {
  readonly mutant: Mutant
  /** The first test that failed; undefined when all passed. */
  readonly caughtBy: string | undefined
  /** How many test files ran. */
  readonly files: number
}

interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** The sizes of the first batches. The nearest tests run first, because one of them finds most bugs; each start of Vitest takes seconds. */
const BATCHES = [6, 30, 90] as const
/** The sampled runs of the simulation. They cost more than the tests near the file, and fail more often than tests far from it. */
const SIMULATION = 'tests/simulation/sim.test.ts'
/** In milliseconds. If no test of a batch ends for this long, the bug counts as caught. */
const LIMIT = 5 * 60_000

/** Returns the files in batches, in the order in which they run. */
const batchesOf = (tests: readonly string[]): readonly (readonly string[])[] => {
  const others = tests.filter((test) => test !== SIMULATION)
  const ends = [0, ...BATCHES.filter((end) => end < others.length), others.length]
  const groups = ends.slice(1).map((end, index) => others.slice(ends[index], end))
  return groups.toSpliced(BATCHES.length, 0, [SIMULATION]).filter((group) => group.length > 0)
}

/** Returns the first failed test of the files; undefined when all passed. */
const firstFailure = async (tree: string, files: readonly string[]): Promise<string | undefined> => {
  const output = join(tree, '.by-tests.json')
  rmSync(output, { force: true })
  const child = spawn(
    process.execPath,
    [
      join(tree, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--bail=1',
      '--retry=0',
      '--silent=true',
      '--reporter=json',
      // Reports each test as soon as it ends.
      '--reporter=dot',
      `--outputFile=${output}`,
      ...files,
    ],
    { cwd: tree, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  const timer = setTimeout(end, LIMIT)
  child.stdout.on('data', () => timer.refresh())
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  clearTimeout(timer)
  process.removeListener('exit', end)
  if (code === 0) return undefined
  if (code === null) return `no test of ${files[0]} and others ended for ${LIMIT / 60_000} minutes`
  if (!existsSync(output)) return `the tests cannot be run: exit code ${code} before ${files[0]} and others`
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as TestReport
  const fileName = (name: string): string => name.replace(`${tree}/`, '')
  for (const { name, assertionResults } of testResults) {
    const test = assertionResults.find((result) => result.status === 'failed')
    if (test !== undefined) return `${fileName(name)}: ${test.fullName}`
  }
  // A file that fails to load has no tests. Files that Vitest skipped after the first failure also count as failed.
  for (const { name, status, message } of testResults)
    if (status === 'failed' && message !== '') return `${fileName(name)}: ${message.split('\n')[0]}`
  return `${files[0]} and others: exit code ${code}`
}

const judge = async (mutant: Mutant, tree: string, tests: readonly string[]): Promise<TestVerdict> => {
  const path = join(tree, mutant.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(mutant.text).length !== 2)
    throw new Error(`${mutant.file}: the text to be changed is not there exactly once: ${mutant.text}`)
  writeFileSync(
    path,
    source.replace(mutant.text, () => mutant.replacement),
  )
  let files = 0
  try {
    for (const batch of batchesOf(tests)) {
      files += batch.length
      const caughtBy = await firstFailure(tree, batch)
      if (caughtBy !== undefined) return { mutant, caughtBy, files }
    }
    return { mutant, caughtBy: undefined, files }
  } finally {
    writeFileSync(path, source)
  }
}

/**
 * Plants each deliberate bug in a copy of the tree, and runs the unit tests that import the changed file, and the sampled
 * simulation, until one fails. Reports each verdict as soon as it is known.
 *
 * @throws Error if the file does not contain the text that a bug changes
 */
export const judgeByTests = async (
  mutants: readonly Mutant[],
  workers: number,
  report: (verdict: TestVerdict) => void,
): Promise<void> => {
  const reaching = new ReachingTests()
  const queue = [...mutants]
  const work = async (): Promise<void> => {
    const tree = mkdtempSync(join(tmpdir(), 'kerf-mutants-'))
    const clear = (): void => rmSync(tree, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    process.once('exit', clear)
    try {
      copyTree(root, tree)
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift())
        report(await judge(mutant, tree, reaching.of(mutant.file)))
    } finally {
      clear()
      process.removeListener('exit', clear)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}
