// Vitest's runner for the tree with the mutants compiled in. It is given its phase by the environment:
// `cover` notes which mutants each test passes; `judge` plays each test once for every mutant that it passes, in one
// process and with its hooks (a repetition each), between two repetitions without a mutant; `plain` runs what it is given.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunnerTestCase, type RunnerTestFile, TestRunner, type TestTryOptions } from 'vitest'
import type { MutationSwitch } from './instrument.ts'
import type { Coverage, Plan, TestCoverage } from './phases.ts'

type Task = Parameters<TestRunner['onBeforeRunTask']>[0]

const directory = process.env['KERF_MUTATION_DIRECTORY'] ?? ''
const phase = process.env['KERF_MUTATION_PHASE'] ?? 'plain'

const holder = globalThis as unknown as { __kerfMutation?: MutationSwitch }
holder.__kerfMutation ??= {
  active: Number(process.env['KERF_MUTATION_ACTIVE'] ?? 0),
  reached: undefined,
  passed: 0,
  budget: Number.POSITIVE_INFINITY,
  exhausted: false,
}
const theSwitch = holder.__kerfMutation

let rejected = 0
process.on('unhandledRejection', () => {
  rejected += 1
})

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
    phase === 'judge' ? (JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan) : undefined
  /** The mutants of the test that runs, one a repetition; 0 is none. */
  #queue: readonly number[] = []
  #found: { id: number; how: 'killed' | 'timed out' }[] = []
  #isFit = true

  constructor(config: TestRunner['config']) {
    super(config)
    if (phase === 'cover') theSwitch.reached = this.#outside
  }

  override async onBeforeRunTask(task: Task): Promise<void> {
    await super.onBeforeRunTask(task)
    const reached = this.#plan?.tests[task.id]
    if (!isTestCase(task) || this.#plan === undefined) return
    if (reached === undefined) {
      task.mode = 'skip'
      return
    }
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
    task.retry = 0
  }

  override onBeforeTryTask(task: Task, options: TestTryOptions): void {
    super.onBeforeTryTask(task, options)
    rejected = 0
    if (phase === 'cover') {
      theSwitch.reached = new Set()
      theSwitch.passed = 0
    }
    if (this.#plan !== undefined) {
      theSwitch.passed = 0
      theSwitch.exhausted = false
      theSwitch.active = this.#queue[options.repeats] ?? 0
      theSwitch.budget = 20 * (this.#plan.passed[task.id] ?? 0) + 20_000
      const at = join(directory, `now-${process.pid}`)
      writeFileSync(at, JSON.stringify({ id: theSwitch.active, test: task.id, pid: process.pid }))
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options)
    if (phase === 'cover') {
      this.#tests[test.id] = {
        name: test.name,
        reached: [...(theSwitch.reached ?? [])],
        passed: theSwitch.passed,
        milliseconds: performance.now() - (test.result?.startTime === undefined ? 0 : this.#since(test)),
        isGreen: test.result?.state === 'pass',
      }
      theSwitch.reached = this.#outside
    }
    if (this.#plan === undefined || test.result === undefined) return
    await settled()
    const active = theSwitch.active
    theSwitch.active = 0
    theSwitch.budget = Number.POSITIVE_INFINITY
    const failed = test.result.state === 'fail' || rejected > 0 || theSwitch.exhausted
    const timedOut = theSwitch.exhausted || /timed out in/.test(test.result.errors?.[0]?.message ?? '')
    if (failed && active === 0) this.#isFit = false
    if (failed && active !== 0) this.#found.push({ id: active, how: timedOut ? 'timed out' : 'killed' })
    if (options.repeats === this.#queue.length - 1) {
      // A test that does not hold twice in one process proves nothing about the mutants in between.
      const lines = this.#isFit
        ? this.#found.map(({ id, how }) => `${JSON.stringify({ id, how, file: test.file.name, test: test.name })}\n`)
        : []
      appendFileSync(join(directory, 'verdicts.jsonl'), lines.join(''))
      if (!this.#isFit) appendFileSync(join(directory, 'unfit'), `${test.id}\n`)
    }
    // Vitest itself has nothing to report of a mutant's failure.
    if (test.result.state === 'fail') test.result.state = 'pass'
    delete test.result.errors
  }

  #since(test: RunnerTestCase): number {
    return (test.result?.startTime ?? 0) - performance.timeOrigin
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    const [file] = files
    if (phase !== 'cover' || file === undefined) return
    const coverage: Coverage = { file: file.name, outside: [...this.#outside], tests: this.#tests }
    const name = createHash('sha256').update(file.name).digest('hex').slice(0, 16)
    writeFileSync(join(directory, `cover-${name}.json`), JSON.stringify(coverage))
  }
}
