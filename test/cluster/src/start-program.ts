import { type ChildProcess, spawn } from 'node:child_process'
import { untilTrue } from './progress.ts'

const LOOK_AGAIN_AFTER = 20

/** What a program came to, when it had ended and closed its streams. */
export interface ProgramEnd {
  /** Nothing for one that a signal ended. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  /** What it reads from its standard input; nothing by default. */
  readonly input?: string
  /** Makes it the leader of a process group of its own, so that what it starts can be ended with it. */
  readonly detached?: boolean
}

/** A program that was started, with everything that it wrote. */
export class StartedProgram {
  readonly child: ChildProcess
  /** Rejects only when there is no such program. */
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
    // Whoever waits for the end is told; a program that nobody waits for may be missing.
    this.ended.catch(() => undefined)
  }

  /** What it wrote so far to both streams, in the order it came. */
  get output(): string {
    return this.#output
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /**
   * Waits until it has written something that matches, and answers the first group of the pattern, or the whole match.
   * @throws Error with all that it wrote when it ends before, or writes nothing more
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

/** Starts a program with this environment alone and keeps what it writes. */
export const startProgram = (path: string, args: readonly string[], options: ProgramOptions): StartedProgram => {
  const { env, cwd, input, detached = false } = options
  const child = spawn(path, [...args], {
    env,
    detached,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  // One that ends without reading it is no failure.
  child.stdin?.on('error', () => undefined).end(input)
  return new StartedProgram(child)
}
