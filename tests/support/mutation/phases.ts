import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cost } from './hang-watch.ts'
import type { NumberedMutant } from './instrument.ts'
import { type Bench, run } from './processes.ts'

export interface TestCoverage {
  readonly name: string
  /** The mutants that the test executes, including those in its `beforeEach` hooks. */
  readonly reached: readonly number[]
  /** The number of times that the test executed any mutant. */
  readonly passed: number
  readonly cost: Cost
  readonly isGreen: boolean
}

/** The mutants that one test file executes. */
export interface Coverage {
  readonly file: string
  /** Mutants that are executed while the file is loaded, or in `beforeAll`. */
  readonly outside: readonly number[]
  readonly passedOutside: number
  /** The tests, by Vitest's ID. */
  readonly tests: Readonly<Record<string, TestCoverage>>
}

/**
 * The plan for the `judge` phase: the tests to run, the mutants that each test executes, and the time that each test takes without a
 * mutant.
 */
export interface Plan {
  /** The test files in the order in which to run them. */
  readonly files: readonly string[]
  readonly tests: Readonly<Record<string, PlannedTest>>
}

interface PlannedTest {
  /** The mutants to apply to this test, in order. */
  readonly mutants: readonly number[]
  readonly passed: number
  readonly cost: Cost
}

export type MutantStatus = 'killed' | 'timed out' | 'survived' | 'not covered'

export interface Verdict {
  readonly mutant: NumberedMutant
  readonly status: MutantStatus
  /** The test that killed the mutant: its file and name. */
  readonly by: string | undefined
}

/** One line of `verdicts.jsonl`. */
export interface Line {
  readonly id: number
  readonly how: 'killed' | 'timed out'
  readonly file: string
  readonly test: string
}

/** One line of `held.jsonl`: a test that has run completely, and the mutants that it did not detect. */
export interface HeldLine {
  readonly test: string
  readonly held: readonly number[]
}

const jsonLines = <T>(path: string): readonly T[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        // If a process was killed while it was writing, the last line is incomplete.
        .slice(0, -1)
        .map((line) => JSON.parse(line) as T)
    : []

const verdictsPath = ({ state }: Bench): string => join(state, 'verdicts.jsonl')
const heldPath = ({ state }: Bench): string => join(state, 'held.jsonl')

/** For each mutant's ID, the tests that did not detect it. */
export type Held = ReadonlyMap<number, readonly string[]>

/** Returns the results so far of a run in progress: the killed mutants and, for each other mutant, the tests that did not detect it. */
export const judgedSoFar = (bench: Bench): { readonly found: readonly Line[]; readonly held: Held } => {
  const held = new Map<number, string[]>()
  for (const line of jsonLines<HeldLine>(heldPath(bench))) {
    for (const id of line.held) held.set(id, [...(held.get(id) ?? []), line.test])
  }
  return { found: jsonLines<Line>(verdictsPath(bench)), held }
}

/** Runs every test once without a mutant. Returns the mutants that each test executes. */
export const cover = async (bench: Bench): Promise<readonly Coverage[]> => {
  mkdirSync(bench.state, { recursive: true })
  const { output } = await run(bench, { phase: 'cover', files: bench.files, limit: 20 * 60_000 })
  const found = readdirSync(bench.state)
    .filter((name) => name.startsWith('cover-'))
    .map((name) => JSON.parse(readFileSync(join(bench.state, name), 'utf8')) as Coverage)
  if (found.length === 0) throw new Error(`no test ran:\n${output.slice(-3_000)}`)
  for (const file of bench.files)
    if (!found.some((coverage) => coverage.file === file)) bench.print(`${file} could not be run, and is left out`)
  for (const { file, tests } of found) {
    for (const { name, isGreen } of Object.values(tests))
      if (!isGreen) bench.print(`${file} > ${name} is red without a mutant, and is left out`)
  }
  return found
}

const timeOf = ({ tests }: Coverage): number => Object.values(tests).reduce((sum, { cost }) => sum + cost.cpu, 0)

/** The maximum number of files that run for a mutant that is executed while files are loaded. The quickest files run first. */
const MOST_FILES_ALONE = 12

/** Runs complete files with one mutant, in separate processes, until a test fails that passes without the mutant. */
const judgeAlone = async (bench: Bench, id: number, files: readonly Coverage[], verdicts: string): Promise<void> => {
  if (files.length === 0) return
  const planned = files.flatMap(({ tests }) =>
    Object.entries(tests)
      .filter(([, { isGreen }]) => isGreen)
      .map(([test, { passed, cost }]): [string, PlannedTest] => [test, { mutants: [id], passed, cost }]),
  )
  const plan: Plan = { files: files.map(({ file }) => file), tests: Object.fromEntries(planned) }
  writeFileSync(join(bench.state, 'plan.json'), JSON.stringify(plan))
  const passed = files.map(({ tests, passedOutside }) =>
    Object.values(tests).reduce((sum, test) => sum + test.passed, passedOutside),
  )
  const { code } = await run(bench, {
    phase: 'plain',
    files: files.map(({ file }) => file),
    env: { KERF_MUTATION_ACTIVE: String(id), KERF_MUTATION_BUDGET: String(20 * Math.max(...passed) + 20_000) },
    flags: ['--bail=1'],
    limit: 10 * 60_000,
  })
  if (code === 0 || jsonLines<Line>(verdicts).some((line) => line.id === id)) return
  // No test failed, so the run failed because a file could not be loaded or because the processes never ended.
  const file = files.map((each) => each.file).join(', ')
  const line: Line = { id, how: code === null ? 'timed out' : 'killed', file, test: '(as a whole)' }
  appendFileSync(verdicts, `${JSON.stringify(line)}\n`)
}

/** Returns the tests that reach an undecided mutant and that are not known to pass with it, and their files in the order of `sorted`. */
const planOf = (sorted: readonly Coverage[], open: ReadonlySet<number>, held: Held): Plan => {
  const tests: Record<string, PlannedTest> = {}
  const files: string[] = []
  for (const { file, tests: own } of sorted) {
    for (const [id, test] of Object.entries(own)) {
      const reached = test.isGreen
        ? test.reached.filter((mutant) => open.has(mutant) && held.get(mutant)?.includes(id) !== true)
        : []
      if (reached.length === 0) continue
      tests[id] = { mutants: reached, passed: test.passed, cost: test.cost }
      if (!files.includes(file)) files.push(file)
    }
  }
  return { files, tests }
}

/**
 * Determines which mutants the tests detect. First, all tests run in one process. If a mutant cannot be judged there, it gets a separate
 * process. A test that is known to pass with a mutant (`before`, from a stopped run) does not run with that mutant again.
 */
export const judge = async (
  bench: Bench,
  mutants: readonly NumberedMutant[],
  coverage: readonly Coverage[],
  before: Held,
): Promise<readonly Verdict[]> => {
  const wanted = new Set(mutants.map(({ id }) => id))
  const verdicts = verdictsPath(bench)
  const left = (): ReadonlySet<number> => {
    const found = new Set(jsonLines<Line>(verdicts).map(({ id }) => id))
    return new Set([...wanted].filter((id) => !found.has(id)))
  }
  writeFileSync(verdicts, '')
  const known = [...before].flatMap(([id, tests]) => tests.map((test): HeldLine => ({ test, held: [id] })))
  writeFileSync(heldPath(bench), known.map((line) => `${JSON.stringify(line)}\n`).join(''))

  // Quick files run first, so that most mutants are already killed when the slow files start.
  const sorted = coverage.toSorted((one, other) => timeOf(one) - timeOf(other))
  for (let attempt = 0; attempt < 12; attempt++) {
    const open = left()
    const { held } = judgedSoFar(bench)
    const { files, tests } = planOf(sorted, open, held)
    if (files.length === 0) break
    writeFileSync(join(bench.state, 'plan.json'), JSON.stringify({ files, tests } satisfies Plan))
    const { hung } = await run(bench, { phase: 'judge', files })
    if (hung.length === 0) break
    for (const { id, test } of hung) {
      bench.print(`mutant ${id} does not end`)
      const line: Line = { id, how: 'timed out', file: test, test: '' }
      if (id !== 0) appendFileSync(verdicts, `${JSON.stringify(line)}\n`)
    }
  }

  const unfitPath = join(bench.state, 'unfit')
  const unfit = new Set(existsSync(unfitPath) ? readFileSync(unfitPath, 'utf8').split('\n') : [])
  for (const id of left()) {
    const reaches = ({ outside, tests }: Coverage): boolean =>
      outside.includes(id) ||
      Object.entries(tests).some(([test, { reached }]) => unfit.has(test) && reached.includes(id))
    await judgeAlone(bench, id, sorted.filter(reaches).slice(0, MOST_FILES_ALONE), verdicts)
  }

  const covered = new Set(
    coverage.flatMap(({ outside, tests }) => [...outside, ...Object.values(tests).flatMap(({ reached }) => reached)]),
  )
  const byId = new Map(jsonLines<Line>(verdicts).map((line) => [line.id, line]))
  return mutants.map((mutant) => {
    const line = byId.get(mutant.id)
    if (line !== undefined) return { mutant, status: line.how, by: `${line.file} > ${line.test}` }
    return { mutant, status: covered.has(mutant.id) ? 'survived' : 'not covered', by: undefined }
  })
}

export const hashTexts = (...texts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('hex')
}
