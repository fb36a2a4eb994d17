import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findComponents, type StartedProgram, startProgram } from '@kerf/control-plane'
import { parse } from 'yaml'

/** One thing that a person types, and what must come of it. */
export interface Step {
  readonly types?: string
  /** The exit code; 0 unless given. */
  readonly exit?: number
  readonly sees?: readonly string[]
  readonly seesNot?: readonly string[]
  /** The page that shows the command, and the command as it stands there, where that is another. */
  readonly doc?: string
  readonly docSays?: string
  /** Runs on until `stop`; the hour goes on once it has printed this (a regular expression). */
  readonly background?: boolean
  readonly until?: string
  readonly stop?: true
  /** Variables of later steps, each the first group of a regular expression. */
  readonly saves?: Readonly<Record<string, string>>
  /** Seconds in which the command is typed again until it shows what it must. */
  readonly again?: number
}

export interface Hour {
  readonly title: string
  /** Whether the person works in the checkout and not in a folder of their own. */
  readonly inCheckout?: boolean
  readonly steps: readonly Step[]
}

export interface StepResult {
  readonly step: Step
  readonly exit: number | null
  /** Standard output and error, as a terminal would show them. */
  readonly output: string
}

export const hours = ['new', 'karpenter', 'cluster-autoscaler', 'contributor'] as const
export type HourName = (typeof hours)[number]

const root = fileURLToPath(new URL('../../', import.meta.url))
const folderOf = (name: HourName): string => fileURLToPath(new URL(`./${name}/`, import.meta.url))

export const readHour = (name: HourName): Hour => parse(readFileSync(`${folderOf(name)}hour.yaml`, 'utf8')) as Hour

/** A folder with a kubectl, where the control plane of the tests was built. */
const kubectlFolder = (): readonly string[] => {
  const components = findComponents()
  return 'missing' in components ? [] : [dirname(components.kubectl)]
}

const LONGEST = 300_000
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const isSeen = ({ sees = [], exit = 0 }: Step, result: StepResult): boolean =>
  result.exit === exit && sees.every((text) => result.output.includes(text))

/** Types the steps of an hour one after the other, and ends what it started. */
export class Walk {
  readonly #home: string
  readonly #own: string | undefined
  readonly #variables = new Map<string, string>()
  #background: StartedProgram | undefined

  constructor(name: HourName, { inCheckout = false }: Hour) {
    this.#own = inCheckout ? undefined : mkdtempSync(join(tmpdir(), 'kerf-first-hour-'))
    this.#home = this.#own ?? root
    if (this.#own !== undefined) cpSync(folderOf(name), this.#own, { recursive: true })
  }

  async take(step: Step): Promise<StepResult> {
    if (step.stop === true) return this.#stop(step)
    const deadline = Date.now() + (step.again ?? 0) * 1000
    for (;;) {
      const result = await (step.background === true ? this.#begin(step) : this.#run(step))
      if (isSeen(step, result) || Date.now() >= deadline) return this.#saved(result)
      await pause(500)
    }
  }

  async close(): Promise<void> {
    await this.#stop({})
    if (this.#own !== undefined) rmSync(this.#own, { recursive: true, force: true })
  }

  #start({ types = '' }: Step): StartedProgram {
    const path = [...kubectlFolder(), join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(':')
    const env = { ...process.env, ...Object.fromEntries(this.#variables), PATH: path, NO_COLOR: '1' }
    return startProgram('sh', ['-c', types], { cwd: this.#home, env })
  }

  async #run(step: Step): Promise<StepResult> {
    const program = this.#start(step)
    const timer = setTimeout(() => program.child.kill('SIGKILL'), LONGEST)
    const { code, stdout, stderr } = await program.ended
    clearTimeout(timer)
    return { step, exit: code, output: `${stdout}${stderr}` }
  }

  async #begin(step: Step): Promise<StepResult> {
    await this.#stop({})
    const program = this.#start({ ...step, types: `exec ${step.types}` })
    this.#background = program
    const output = await program.printed(new RegExp(`([\\s\\S]*${step.until ?? ''})`))
    return { step, exit: 0, output }
  }

  async #stop(step: Step): Promise<StepResult> {
    const program = this.#background
    if (program === undefined) return { step, exit: 0, output: '' }
    this.#background = undefined
    program.child.kill('SIGINT')
    const { code, stdout, stderr } = await program.ended
    return { step, exit: code, output: `${stdout}${stderr}` }
  }

  #saved(result: StepResult): StepResult {
    for (const [name, pattern] of Object.entries(result.step.saves ?? {})) {
      const value = new RegExp(pattern).exec(result.output)?.[1]
      if (value !== undefined) this.#variables.set(name, value)
    }
    return result
  }
}
