import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { processCpu, processMemory } from '../process-usage.ts'

/** The autoscaler, as a separate process that writes its output to a file. */
export class MeasuredProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  readonly startedAt: number

  constructor(command: readonly string[], env: Readonly<Record<string, string>>, logFile: string) {
    const [program = '', ...args] = command
    const log = openSync(logFile, 'w')
    this.startedAt = performance.timeOrigin + performance.now()
    this.#child = spawn(program, args, { stdio: ['ignore', log, log], env: { ...env } })
    closeSync(log)
    this.#closed = once(this.#child, 'close')
  }

  /** The processor time so far, in milliseconds. */
  get cpu(): number {
    return processCpu(this.#child.pid ?? 0)
  }

  /** The current and the peak resident memory, in MiB. */
  get memory(): { readonly now: number; readonly peak: number } {
    const pid = this.#child.pid ?? 0
    return { now: processMemory(pid, 'VmRSS'), peak: processMemory(pid, 'VmHWM') }
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 20_000)
    await this.#closed
    clearTimeout(late)
  }
}
