import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentName, Components } from './components.ts'
import { logPath, readLog, untilReady } from './program-log.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

const POLL_MS = 50

/**
 * Settings of Go's garbage collector. With the defaults, it would use half of kube-apiserver's CPU time, because the heaps of these
 * programs are small. Near the memory limit, it runs more often again.
 */
const MEMORY = { GOGC: '400', GOMEMLIMIT: '1GiB' }

/** The running programs of one control plane, with their logs. */
export class Programs {
  readonly directory: string
  readonly #components: Components
  readonly #watchdog: Watchdog
  readonly #failures: string[] = []
  readonly #ids: number[] = []

  constructor(components: Components) {
    this.#components = components
    this.directory = mkdtempSync(join(tmpdir(), 'kerf-control-plane-'))
    this.#watchdog = startWatchdog(this.directory)
  }

  /** The process IDs of all programs started so far. */
  get ids(): readonly number[] {
    return this.#ids
  }

  path(name: string): string {
    return join(this.directory, name)
  }

  start(name: ComponentName, flags: readonly string[]): void {
    const log = openSync(logPath(this.directory, name), 'a')
    let child: ChildProcess
    try {
      child = spawn(this.#components[name], [...flags], {
        cwd: this.directory,
        stdio: ['ignore', log, log],
        detached: true,
        env: { PATH: process.env['PATH'] ?? '', HOME: this.directory, TMPDIR: this.directory, ...MEMORY },
      })
    } finally {
      closeSync(log)
    }
    this.#watchdog.watch(child)
    if (child.pid !== undefined) this.#ids.push(child.pid)
    child.on('error', (error) => this.#failures.push(`${name} did not start: ${error.message}`))
    child.on('exit', (code, signal) => this.#failures.push(`${name} ended (${signal ?? `exit code ${code}`})`))
  }

  log(name: ComponentName): string {
    return readLog(this.directory, name)
  }

  /** @throws Error with the last lines of the log if a program has ended, or if `ready` stays false and the programs stop logging */
  async until(name: ComponentName, ready: () => Promise<boolean>): Promise<void> {
    const failure = (): string | undefined => this.#failures[0]
    await untilReady(name, { directory: this.directory, everyMs: POLL_MS, isReady: ready, failure })
  }

  stop(): Promise<void> {
    return this.#watchdog.release()
  }
}
