import type { StartedProgram } from '@kerf/control-plane'
import { bareEnvironment, startKerf } from './start-kerf.ts'

/** `kerf run` as a process of its own. */
export class KerfProcess {
  readonly #program: StartedProgram
  /** The exit code of a process that ends by itself; -1 for one that a signal ended. */
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

  /** Everything it wrote so far, and the signal that ended it. */
  get output(): string {
    return this.#program.output + this.#endedBy
  }

  /** Ends it as the kernel would, with no chance to put anything right. */
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

  /** Asks it to end; answers its exit code. */
  async stop(): Promise<number> {
    this.#program.child.kill('SIGTERM')
    return await this.ended
  }
}
