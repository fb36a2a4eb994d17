// Vitest's runner for the tree into which the mutants are compiled. An environment variable selects the phase. `cover` records which
// mutants each test executes. `judge` repeats each test with its hooks in one process: once for every mutant that it executes, and before
// and after that without a mutant. `plain` runs the tests with one mutant, which is active before the file is loaded.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunnerTestCase, type RunnerTestFile, TestRunner, type TestTryOptions } from 'vitest'
import { type Cost, Hung, stopwatch, unlessHung } from './hang-watch.ts'
import type { MutationSwitch } from './instrument.ts'
import type { Coverage, HeldLine, Line, Plan, TestCoverage } from './phases.ts'
import type { Mark } from './processes.ts'

type Task = Parameters<TestRunner['onBeforeRunTask']>[0]

const directory = process.env['KERF_MUTATION_DIRECTORY'] ?? ''
const phase = process.env['KERF_MUTATION_PHASE'] ?? 'plain'

const holder = globalThis as unknown as { __kerfMutation?: MutationSwitch }
holder.__kerfMutation ??= {
  active: Number(process.env['KERF_MUTATION_ACTIVE'] ?? 0),
  reached: undefined,
  passed: 0,
  budget: Number(process.env['KERF_MUTATION_BUDGET'] ?? Number.POSITIVE_INFINITY),
  exhausted: false,
}
const theSwitch = holder.__kerfMutation

/** The number of unhandled errors. They make a test run fail even if no test fails. */
let unheard = 0
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, () => {
    unheard += 1
  })
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const killedBefore = (): ReadonlySet<number> => {
  const path = join(directory, 'verdicts.jsonl')
  if (!existsSync(path)) return new Set()
  const lines = readFileSync(path, 'utf8').split('\n')
  return new Set(lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { id: number }).id))
}

const isTestCase = (task: Task): task is RunnerTestCase => task.type === 'test'

export default class MutationRunner extends TestRunner {
  readonly #outside = new Set<number>()
  readonly #tests: Record<string, TestCoverage> = {}
  readonly #plan: Plan | undefined =
    phase === 'cover' ? undefined : (JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan)
  /** The mutants to apply to the current test, one per repetition; 0 stands for no mutant. */
  #queue: readonly number[] = []
  #found: { id: number; how: 'killed' | 'timed out' }[] = []
  #isFit = true
  #isHung = false
  #spent: () => Cost = stopwatch()
  #passedOutside = 0

  constructor(config: TestRunner['config']) {
    super(config)
    if (phase === 'cover') theSwitch.reached = this.#outside
  }

  override async onBeforeRunTask(task: Task): Promise<void> {
    await super.onBeforeRunTask(task)
    const reached = this.#plan?.tests[task.id]?.mutants
    if (!isTestCase(task) || this.#plan === undefined) return
    if (reached === undefined) {
      task.mode = 'skip'
      return
    }
    task.retry = 0
    if (phase === 'plain') return
    const killed = killedBefore()
    const left = reached.filter((id) => !killed.has(id))
    if (left.length === 0) {
      task.mode = 'skip'
      return
    }
    this.#queue = [0, ...left, 0]
    this.#found = []
    this.#isFit = true
    task.repeats = this.#queue.length - 1
  }

  override onBeforeTryTask(task: Task, options: TestTryOptions): void {
    super.onBeforeTryTask(task, options)
    unheard = 0
    this.#isHung = false
    this.#spent = stopwatch()
    if (phase === 'cover') {
      this.#passedOutside += theSwitch.passed
      theSwitch.reached = new Set()
      theSwitch.passed = 0
    }
    if (phase === 'judge') {
      theSwitch.passed = 0
      theSwitch.exhausted = false
      theSwitch.active = this.#queue[options.repeats] ?? 0
      theSwitch.budget = 20 * (this.#plan?.tests[task.id]?.passed ?? 0) + 20_000
      const { user, system } = process.cpuUsage()
      const mark: Mark = {
        id: theSwitch.active,
        test: task.id,
        cpu: (user + system) / 1_000,
        cost: this.#costOf(task.id),
      }
      writeFileSync(join(directory, `now-${process.pid}`), JSON.stringify(mark))
    }
  }

  #costOf(test: string): Cost {
    return this.#plan?.tests[test]?.cost ?? { cpu: 0, idle: 0 }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const body = TestRunner.getTestFn(test)
    if (this.#plan === undefined) return await body()
    try {
      await unlessHung(this.#costOf(test.id), body)
    } catch (error) {
      this.#isHung = error instanceof Hung
      throw error
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options)
    if (phase === 'cover') {
      this.#tests[test.id] = {
        name: test.name,
        reached: [...(theSwitch.reached ?? [])],
        passed: theSwitch.passed,
        cost: this.#spent(),
        isGreen: test.result?.state === 'pass',
      }
      theSwitch.reached = this.#outside
      theSwitch.passed = 0
    }
    if (this.#plan === undefined || test.result === undefined) return
    await settled()
    if (phase === 'plain') return this.#noteAlone(test)
    const active = theSwitch.active
    theSwitch.active = 0
    theSwitch.budget = Number.POSITIVE_INFINITY
    const failed = test.result.state === 'fail' || unheard > 0 || theSwitch.exhausted
    const timedOut = theSwitch.exhausted || this.#isHung
    if (failed && active === 0) this.#isFit = false
    if (failed && active !== 0) this.#found.push({ id: active, how: timedOut ? 'timed out' : 'killed' })
    if (options.repeats === this.#queue.length - 1) {
      // If a test does not pass twice in one process, it proves nothing about the mutants in between.
      const lines = this.#isFit
        ? this.#found.map(({ id, how }) => `${JSON.stringify({ id, how, file: test.file.name, test: test.name })}\n`)
        : []
      appendFileSync(join(directory, 'verdicts.jsonl'), lines.join(''))
      const found = new Set(this.#found.map(({ id }) => id))
      const held = this.#queue.filter((id) => id !== 0 && !found.has(id))
      const line: HeldLine = { test: test.id, held }
      if (this.#isFit) appendFileSync(join(directory, 'held.jsonl'), `${JSON.stringify(line)}\n`)
      if (!this.#isFit) appendFileSync(join(directory, 'unfit'), `${test.id}\n`)
    }
    // Vitest must not report failures that mutants cause.
    if (test.result.state === 'fail') test.result.state = 'pass'
    delete test.result.errors
  }

  /** Records the result for the only mutant of this process. */
  #noteAlone(test: RunnerTestCase): void {
    if (test.result?.state !== 'fail' && !theSwitch.exhausted) return
    const how = theSwitch.exhausted || this.#isHung ? 'timed out' : 'killed'
    const line: Line = { id: theSwitch.active, how, file: test.file.name, test: test.name }
    appendFileSync(join(directory, 'verdicts.jsonl'), `${JSON.stringify(line)}\n`)
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    const [file] = files
    if (phase !== 'cover' || file === undefined) return
    const coverage: Coverage = {
      file: file.name,
      outside: [...this.#outside],
      passedOutside: this.#passedOutside + theSwitch.passed,
      tests: this.#tests,
    }
    const name = createHash('sha256').update(file.name).digest('hex').slice(0, 16)
    writeFileSync(join(directory, `cover-${name}.json`), JSON.stringify(coverage))
  }
}
