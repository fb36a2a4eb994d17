import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Autoscaler } from '../beside/autoscaler.ts'

/** How long a kubelet waits before it restarts a container after its first exit, in milliseconds. */
const RESTART_AFTER = 10_000

/** Runs an autoscaler like a container on a kubelet: restarts it ten seconds after it ends. */
export class RestartedProcess {
  readonly #start: () => ChildProcess
  #child: ChildProcess
  #isStopping = false
  restarts = 0

  constructor({ command, env = {} }: Autoscaler, settings: Readonly<Record<string, string>>, logFile: string) {
    const [program = '', ...args] = command
    this.#start = () => {
      const log = openSync(logFile, 'a')
      const child = spawn(program, args, {
        stdio: ['ignore', log, log],
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: process.env['HOME'] ?? '',
          CPU_REQUESTS: '2000',
          ...env,
          ...settings,
        },
      })
      closeSync(log)
      child.once('exit', () => void this.#restart())
      return child
    }
    this.#child = this.#start()
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGCONT')
    this.#child.kill('SIGTERM')
    const late = new AbortController()
    void setTimeout(15_000, undefined, { signal: late.signal }).then(
      () => this.#child.kill('SIGKILL'),
      () => {},
    )
    await ended
    late.abort()
  }

  async #restart(): Promise<void> {
    if (this.#isStopping) return
    await setTimeout(RESTART_AFTER)
    if (this.#isStopping) return
    this.restarts++
    this.#child = this.#start()
  }
}
