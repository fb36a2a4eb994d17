import { type ChildProcess, spawn } from 'node:child_process'
import { untilTrue } from './progress.ts'

const LOOK_AGAIN_AFTER = 20

/** The result of a program after it has ended and its streams have closed. */
export interface ProgramEnd {
  /** The exit code, or null if a signal ended the program. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  /** All environment variables of the program. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The text for standard input. The default is empty. */
  readonly input?: string
  /** Whether to put the program into a new process group, so that its child processes can be ended with it. */
  readonly detached?: boolean
}

/** A started program and its output. */
export class StartedProgram {
  readonly child: ChildProcess
  /** Resolves when the program has ended. Rejects only if the program does not exist. */
  readonly ended: Promise<ProgramEnd>
  #stdout = ''
  #stderr = ''
  #output = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
      this.#output += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
      this.#output += text
    })
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }))
    })
    // If the program does not exist, everyone who awaits `ended` gets the rejection. If nobody awaits it, the rejection must not count as
    // unhandled.
    this.ended.catch(() => undefined)
  }

  /** Returns the output on both streams so far, in order of arrival. */
  get output(): string {
    return this.#output
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /**
   * Waits for output that matches the pattern. Returns the first group of the match, or the whole match if there is none.
   * @throws Error with the output if the program ends first or stops writing
   */
  async printed(pattern: RegExp): Promise<string> {
    let end: ProgramEnd | undefined
    let failure: unknown
    this.ended.then(
      (ended) => {
        end = ended
      },
      (error: unknown) => {
        failure = error
      },
    )
    const hasPrinted = (): boolean => {
      if (pattern.test(this.#output)) return true
      if (failure !== undefined) throw failure
      if (end !== undefined) throw new Error(`ended (${end.signal ?? end.code}): ${this.#output}`)
      return false
    }
    const wait = { what: `${pattern} to be printed`, state: () => this.#output, everyMs: LOOK_AGAIN_AFTER }
    await untilTrue(hasPrinted, { ...wait, fingerprint: () => String(this.#output.length) })
    const found = pattern.exec(this.#output)
    return found?.[1] ?? found?.[0] ?? ''
  }
}

/** Starts a program and records its output. The program gets only the variables in `env`. */
export const startProgram = (path: string, args: readonly string[], options: ProgramOptions): StartedProgram => {
  const { env, cwd, input, detached = false } = options
  const child = spawn(path, [...args], {
    env,
    detached,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  // It is not an error if a program ends without reading its input.
  child.stdin?.on('error', () => undefined).end(input)
  return new StartedProgram(child)
}
