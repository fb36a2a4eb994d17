import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { untilTrue, type Wait } from '@kerf/control-plane/progress'
import { parse } from 'yaml'
import { processorSeconds } from '../../support/costs/process-costs.ts'
import { findKubectl } from './kubectl.ts'

/** One command that a user types, and its expected result. */
export interface Step {
  readonly types?: string
  /** The expected exit code. The default is 0. */
  readonly exit?: number
  readonly sees?: readonly string[]
  /** Text that the output must also contain if the earlier kubectl steps have run. */
  readonly seesAfterKubectl?: readonly string[]
  readonly seesNot?: readonly string[]
  /** The page that shows the command. `docSays` is the command on that page, if it differs from `types`. */
  readonly doc?: string
  readonly docSays?: string
  /** The command runs until the step with `stop`. The next step begins when the output matches `until` (a regular expression). */
  readonly background?: boolean
  readonly until?: string
  readonly stop?: true
  /** Variables for later steps. Each gets the first group that its regular expression matches. */
  readonly saves?: Readonly<Record<string, string>>
  /**
   * If the output is not yet as expected, the command is repeated until it is. The step fails if the output does not change for this many
   * seconds.
   */
  readonly again?: number
}

export interface Hour {
  readonly title: string
  /** Whether the user works in the checkout instead of a separate folder. */
  readonly inCheckout?: boolean
  readonly steps: readonly Step[]
}

export interface StepResult {
  readonly step: Step
  readonly exit: number | null
  /** Standard output and standard error together, as in a terminal. */
  readonly output: string
}

export const hours = ['new', 'karpenter', 'cluster-autoscaler', 'contributor'] as const
export type HourName = (typeof hours)[number]

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folderOf = (name: HourName): string => fileURLToPath(new URL(`./${name}/`, import.meta.url))

export const readHour = (name: HourName): Hour => parse(readFileSync(`${folderOf(name)}hour.yaml`, 'utf8')) as Hour

/** During a wait, a command that uses at least this much processor time (in seconds) counts as working. An idle command uses less. */
const WORKS = 10

/** A command in its own process group. Like Ctrl-C in a terminal, a signal reaches all of its processes: npm, and what npm runs. */
class Typed {
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>
  output = ''

  constructor(command: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const child = spawn('sh', ['-c', command], { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    this.#child = child
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve(code))
    })
  }

  signal(signal: NodeJS.Signals): void {
    const { pid, exitCode } = this.#child
    if (pid !== undefined && exitCode === null) process.kill(-pid, signal)
  }

  /** Waits until the output matches, as long as the command works or prints. Throws if the command ends first. */
  async printed(pattern: RegExp): Promise<void> {
    let isOver = false
    void this.ended.then(() => {
      isOver = true
    })
    const hasPrinted = (): boolean => {
      if (!pattern.test(this.output) && isOver) throw new Error(`never printed ${pattern}: ${this.output}`)
      return pattern.test(this.output)
    }
    await untilTrue(hasPrinted, this.#wait(`${pattern} to be printed`))
  }

  /** Waits for the command to end, as long as it works or prints. Returns its exit code. */
  async exited(): Promise<number | null> {
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    this.ended.then(over, over)
    try {
      await untilTrue(() => isOver, { ...this.#wait('the command to end'), everyMs: 20 })
    } catch (error) {
      this.signal('SIGKILL')
      throw error
    }
    return await this.ended
  }

  #wait(what: string): Wait {
    const { pid } = this.#child
    return {
      what,
      fingerprint: () => {
        const used = processorSeconds(pid === undefined ? [] : [pid])
        return `${this.output.length} ${Math.floor(used / WORKS)}`
      },
      state: () => this.output,
    }
  }
}

const isSeen = ({ sees = [], exit = 0 }: Step, result: StepResult): boolean =>
  result.exit === exit && sees.every((text) => result.output.includes(text))

/** Runs the steps of an hour one after the other, and ends all processes that it started. */
export class Walk {
  readonly #home: string
  readonly #own: string | undefined
  readonly #variables = new Map<string, string>()
  #background: Typed | undefined

  constructor(name: HourName, { inCheckout = false }: Hour) {
    this.#own = inCheckout ? undefined : mkdtempSync(join(tmpdir(), 'kerf-first-hour-'))
    this.#home = this.#own ?? root
    if (this.#own !== undefined) cpSync(folderOf(name), this.#own, { recursive: true })
  }

  async take(step: Step): Promise<StepResult> {
    if (step.stop === true) return this.#stop(step)
    const result = await this.#typeOnce(step)
    if (step.again === undefined || isSeen(step, result)) return this.#saved(result)
    let last = result
    const again = async (): Promise<boolean> => {
      last = await this.#typeOnce(step)
      return isSeen(step, last)
    }
    const wait = {
      what: `${step.types} to show what it must`,
      // Ages and other numbers do not count as a change of the output.
      fingerprint: () => last.output.replaceAll(/\d+/g, ''),
      quietSeconds: step.again,
    }
    // Does not report a failure here, because the caller compares the result with the step.
    await untilTrue(again, { ...wait, everyMs: 500 }).catch(() => undefined)
    return this.#saved(last)
  }

  async close(): Promise<void> {
    await this.#stop({})
    if (this.#own !== undefined) rmSync(this.#own, { recursive: true, force: true })
  }

  #typeOnce(step: Step): Promise<StepResult> {
    return step.background === true ? this.#begin(step) : this.#run(step)
  }

  #type(command: string): Typed {
    const kubectl = findKubectl()
    const path = [
      ...(kubectl === undefined ? [] : [kubectl]),
      join(root, 'node_modules', '.bin'),
      process.env['PATH'] ?? '',
    ].join(':')
    const env = { ...process.env, ...Object.fromEntries(this.#variables), PATH: path, NO_COLOR: '1' }
    return new Typed(command, { cwd: this.#home, env })
  }

  async #run(step: Step): Promise<StepResult> {
    const typed = this.#type(step.types ?? '')
    return { step, exit: await typed.exited(), output: typed.output }
  }

  async #begin(step: Step): Promise<StepResult> {
    await this.#stop({})
    this.#background = this.#type(step.types ?? '')
    await this.#background.printed(new RegExp(step.until ?? ''))
    return { step, exit: 0, output: this.#background.output }
  }

  async #stop(step: Step): Promise<StepResult> {
    const typed = this.#background
    if (typed === undefined) return { step, exit: 0, output: '' }
    this.#background = undefined
    typed.signal('SIGINT')
    await typed.ended
    // Does not report the real exit code. After an interrupt, that code depends on the shell and npm, not on Kerf.
    return { step, exit: 0, output: typed.output }
  }

  #saved(result: StepResult): StepResult {
    for (const [name, pattern] of Object.entries(result.step.saves ?? {})) {
      const value = new RegExp(pattern).exec(result.output)?.[1]
      if (value !== undefined) this.#variables.set(name, value)
    }
    return result
  }
}
