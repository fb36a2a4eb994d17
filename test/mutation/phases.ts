import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { NumberedMutant } from './instrument.ts'

export interface TestCoverage {
  readonly name: string
  /** The mutants that the test passes, its `beforeEach` hooks included. */
  readonly reached: readonly number[]
  /** How often any mutant was passed. */
  readonly passed: number
  readonly milliseconds: number
  readonly isGreen: boolean
}

/** What one test file passes. */
export interface Coverage {
  readonly file: string
  /** Passed while the file was loaded, or in `beforeAll`. */
  readonly outside: readonly number[]
  /** By Vitest's id of the test. */
  readonly tests: Readonly<Record<string, TestCoverage>>
}

/** What the judging run shall do. */
export interface Plan {
  /** The mutants to try in each test. */
  readonly tests: Readonly<Record<string, readonly number[]>>
  readonly passed: Readonly<Record<string, number>>
}

export type Fate = 'killed' | 'timed out' | 'survived' | 'not covered'

export interface Verdict {
  readonly mutant: NumberedMutant
  readonly fate: Fate
  /** The test that killed it: file and name. */
  readonly by: string | undefined
}

export interface Bench {
  /** The copy of the tree, with the mutants compiled in. */
  readonly tree: string
  /** For what the phases tell each other. */
  readonly state: string
  readonly node: string
  /** The test files, relative to the tree. */
  readonly files: readonly string[]
  readonly workers: number
  readonly say: (line: string) => void
}

interface Line {
  readonly id: number
  readonly how: 'killed' | 'timed out'
  readonly file: string
  readonly test: string
}

const jsonLines = (path: string): readonly Line[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
    : []

/** How long one repetition may take before its process is taken for hung. */
const HUNG_MILLISECONDS = 45_000

interface Run {
  readonly phase: 'cover' | 'judge' | 'plain'
  readonly files: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  /** Ends the run when it takes longer, in milliseconds. */
  readonly limit?: number
}

const start = (bench: Bench, { phase, files, env, flags }: Run): ChildProcess =>
  spawn(
    bench.node,
    [
      join(bench.tree, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      'vitest.mutation.config.ts',
      '--reporter=dot',
      '--silent=true',
      ...(flags ?? []),
      ...files,
    ],
    {
      cwd: bench.tree,
      // A group of its own, so that its workers can be ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${dirname(bench.node)}:${process.env['PATH'] ?? ''}`,
        KERF_MUTATION_PHASE: phase,
        KERF_MUTATION_DIRECTORY: bench.state,
        KERF_MUTATION_WORKERS: String(bench.workers),
        ...env,
      },
    },
  )

interface Ended {
  readonly code: number | null
  readonly output: string
  /** The repetitions that were under way when the process was taken for hung. */
  readonly hung: readonly { readonly id: number; readonly test: string }[]
}

const run = (bench: Bench, options: Run): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = start(bench, options)
    const began = Date.now()
    let output = ''
    let hung: Ended['hung'] = []
    const gather = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout?.on('data', gather)
    child.stderr?.on('data', gather)
    const end = (): void => {
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL')
        } catch {
          // It ended by itself.
        }
      }
    }
    const onSignal = (): void => {
      end()
      process.exit(130)
    }
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    const watch = setInterval(() => {
      if (options.limit !== undefined && Date.now() - began > options.limit) return end()
      if (options.phase !== 'judge') return
      const marks = readdirSync(bench.state).filter((name) => name.startsWith('now-'))
      const old = marks.filter((name) => Date.now() - statSync(join(bench.state, name)).mtimeMs > HUNG_MILLISECONDS)
      const running = old.filter((name) => existsSync(`/proc/${name.slice(4)}`) || process.platform !== 'linux')
      if (running.length === 0) return
      hung = running.map((name) => JSON.parse(readFileSync(join(bench.state, name), 'utf8')) as Ended['hung'][number])
      end()
    }, 1_000)
    const done = (): void => {
      clearInterval(watch)
      process.removeListener('SIGINT', onSignal)
      process.removeListener('SIGTERM', onSignal)
      for (const name of readdirSync(bench.state))
        if (name.startsWith('now-')) rmSync(join(bench.state, name), { force: true })
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('close', (code) => {
      done()
      resolve({ code, output, hung })
    })
  })

/** First run: every test once, without a mutant; says which mutants each passes. */
export const cover = async (bench: Bench): Promise<readonly Coverage[]> => {
  mkdirSync(bench.state, { recursive: true })
  const { output } = await run(bench, { phase: 'cover', files: bench.files, limit: 20 * 60_000 })
  const found = readdirSync(bench.state)
    .filter((name) => name.startsWith('cover-'))
    .map((name) => JSON.parse(readFileSync(join(bench.state, name), 'utf8')) as Coverage)
  if (found.length === 0) throw new Error(`no test ran:\n${output.slice(-3_000)}`)
  for (const file of bench.files)
    if (!found.some((coverage) => coverage.file === file)) bench.say(`${file} could not be run, and is left out`)
  for (const { file, tests } of found) {
    for (const { name, isGreen } of Object.values(tests))
      if (!isGreen) bench.say(`${file} > ${name} is red without a mutant, and is left out`)
  }
  return found
}

const timeOf = ({ tests }: Coverage): number =>
  Object.values(tests).reduce((sum, { milliseconds }) => sum + milliseconds, 0)

/** What each mutant's fate is: tests in one process first; what those cannot tell, in a process of its own. */
export const judge = async (
  bench: Bench,
  mutants: readonly NumberedMutant[],
  coverage: readonly Coverage[],
): Promise<readonly Verdict[]> => {
  const wanted = new Set(mutants.map(({ id }) => id))
  const verdicts = join(bench.state, 'verdicts.jsonl')
  const left = (): ReadonlySet<number> => {
    const found = new Set(jsonLines(verdicts).map(({ id }) => id))
    return new Set([...wanted].filter((id) => !found.has(id)))
  }
  writeFileSync(verdicts, '')

  // Quick files first: most mutants are gone before the slow ones begin.
  const sorted = coverage.toSorted((one, other) => timeOf(one) - timeOf(other))
  for (let attempt = 0; attempt < 12; attempt++) {
    const open = left()
    const tests: Record<string, readonly number[]> = {}
    const passed: Record<string, number> = {}
    const files: string[] = []
    for (const { file, tests: own } of sorted) {
      for (const [id, test] of Object.entries(own)) {
        const reached = test.isGreen ? test.reached.filter((mutant) => open.has(mutant)) : []
        if (reached.length === 0) continue
        tests[id] = reached
        passed[id] = test.passed
        if (!files.includes(file)) files.push(file)
      }
    }
    if (files.length === 0) break
    writeFileSync(join(bench.state, 'plan.json'), JSON.stringify({ tests, passed } satisfies Plan))
    const { hung } = await run(bench, { phase: 'judge', files })
    if (hung.length === 0) break
    for (const { id, test } of hung) {
      bench.say(`mutant ${id} does not end`)
      const line: Line = { id, how: 'timed out', file: test, test: '' }
      if (id !== 0) appendFileSync(verdicts, `${JSON.stringify(line)}\n`)
    }
  }

  const unfitPath = join(bench.state, 'unfit')
  const unfit = new Set(existsSync(unfitPath) ? readFileSync(unfitPath, 'utf8').split('\n') : [])
  for (const id of left()) {
    const alone = sorted.filter(
      ({ outside, tests }) =>
        outside.includes(id) ||
        Object.entries(tests).some(([test, { reached }]) => unfit.has(test) && reached.includes(id)),
    )
    for (const { file } of alone.slice(0, 12)) {
      const { code, output } = await run(bench, {
        phase: 'plain',
        files: [file],
        env: { KERF_MUTATION_ACTIVE: String(id) },
        flags: ['--bail=1'],
        limit: 60_000,
      })
      if (code === 0) continue
      const how = code === null || /timed out in/.test(output) ? 'timed out' : 'killed'
      const line: Line = { id, how, file, test: '(as a whole)' }
      appendFileSync(verdicts, `${JSON.stringify(line)}\n`)
      break
    }
  }

  const covered = new Set(
    coverage.flatMap(({ outside, tests }) => [...outside, ...Object.values(tests).flatMap(({ reached }) => reached)]),
  )
  const byId = new Map(jsonLines(verdicts).map((line) => [line.id, line]))
  return mutants.map((mutant) => {
    const line = byId.get(mutant.id)
    if (line !== undefined) return { mutant, fate: line.how, by: `${line.file} > ${line.test}` }
    return { mutant, fate: covered.has(mutant.id) ? 'survived' : 'not covered', by: undefined }
  })
}

export const hashOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('hex')
}
