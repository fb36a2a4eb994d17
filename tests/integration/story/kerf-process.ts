import type { StartedProgram } from '@kerf/control-plane'
import { bareEnvironment, startKerf } from './start-kerf.ts'

/** `kerf run` as a separate process. */
export class KerfProcess {
  readonly #program: StartedProgram
  /** Resolves to the exit code, or to -1 if a signal ended the process. */
  readonly ended: Promise<number>
  #endedBy = ''

  private constructor(program: StartedProgram) {
    this.#program = program
    this.ended = program.ended.then(({ code, signal }) => {
      if (signal !== null) this.#endedBy = `\n(ended by ${signal})\n`
      return code ?? -1
    })
  }

  static start(kubeconfig: string, flags: readonly string[], more: Readonly<Record<string, string>> = {}): KerfProcess {
    const args = ['run', `--kubeconfig=${kubeconfig}`, '--metrics-port=0', '--health-probe-port=0', ...flags]
    return new KerfProcess(startKerf(args, { env: { ...bareEnvironment(), ...more } }))
  }

  /** Returns the output so far, and the signal that ended the process. */
  get output(): string {
    return this.#program.output + this.#endedBy
  }

  /** Kills the process with SIGKILL, so that it cannot clean up. */
  async kill(): Promise<void> {
    this.#program.child.kill('SIGKILL')
    await this.ended
  }

  /** See `StartedProgram`. */
  printed(pattern: RegExp): Promise<string> {
    return this.#program.printed(pattern)
  }

  signal(name: NodeJS.Signals): void {
    this.#program.child.kill(name)
  }

  /** Asks the process to stop. Resolves to its exit code. */
  async stop(): Promise<number> {
    this.#program.child.kill('SIGTERM')
    return await this.ended
  }
}
