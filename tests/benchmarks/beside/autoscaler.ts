import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { installProgram } from '../installed-program.ts'
import type { RealCluster, Running, Used } from './bench-cluster.ts'

/** A program to measure: its name in the table, and its command line. */
export interface Autoscaler {
  readonly name: string
  readonly command: readonly string[]
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Installs this checkout's Kerf into an empty directory, in the same way as in the image. The program does not simulate kubelets, because
 * the benchmark simulates them for every autoscaler.
 */
export const installKerf = async (directory: string): Promise<Autoscaler> => {
  const { args, env } = await installProgram(directory)
  return {
    name: 'kerf',
    command: [process.execPath, ...args, '--simulate-kubelet=false', '--metrics-port=0', '--health-probe-port=0'],
    env: { ...env, KERF_PROVIDER: 'kwok' },
  }
}

/** Returns whether the text (see `parseAutoscaler`) means this checkout's Kerf, which must be installed first. */
export const isKerf = (text: string): boolean => /^([^=]+=\s*)?kerf(\s|$)/.test(text)

/**
 * Parses the text `kerf`, or `NAME=COMMAND …`, in which spaces separate the words of the command. If the first word of the command is
 * `kerf`, its other words are options of this checkout's Kerf.
 */
export const parseAutoscaler = (text: string, kerf: Autoscaler | undefined): Autoscaler => {
  if (text === 'kerf' && kerf !== undefined) return kerf
  const at = text.indexOf('=')
  const command = text
    .slice(at + 1)
    .split(' ')
    .filter((word) => word !== '')
  if (at < 1 || command.length === 0) {
    throw new Error(`--autoscaler ${JSON.stringify(text)}: give "kerf" or "NAME=COMMAND"`)
  }
  const name = text.slice(0, at)
  const [program, ...options] = command
  return program === 'kerf' && kerf !== undefined
    ? { ...kerf, name, command: [...kerf.command, ...options] }
    : { name, command }
}

/** A running autoscaler process, which writes its output to `logFile`. */
export class AutoscalerProcess implements Running {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>

  constructor(
    { command, env = {} }: Autoscaler,
    cluster: Pick<RealCluster, 'kubeconfig' | 'catalogueFile'>,
    logFile: string,
  ) {
    const [program = '', ...args] = command
    const log = openSync(logFile, 'w')
    this.#child = spawn(program, args, {
      stdio: ['ignore', log, log],
      // Upstream's names for the variables, which Kerf also reads. Leader election is off, because the process runs outside the cluster.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        KUBECONFIG: cluster.kubeconfig,
        INSTANCE_TYPES_FILE_PATH: cluster.catalogueFile,
        DISABLE_LEADER_ELECTION: 'true',
        CPU_REQUESTS: '2000',
        ...env,
      },
    })
    closeSync(log)
    this.#closed = once(this.#child, 'close')
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Returns the processor time and peak memory of the process, as the kernel counts them. Both are 0 if the system has no /proc. */
  async used(): Promise<Used> {
    const read = (file: string): Promise<string> => readFile(`/proc/${this.#child.pid}/${file}`, 'utf8').catch(() => '')
    const [stat, status] = await Promise.all([read('stat'), read('status')])
    // Fields 14 and 15 are user and system time, in hundredths of a second. The command name before them may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? '0'
    return { cpuSeconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100, peakMebibytes: Number(peak) / 1024 }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 20_000)
    await this.#closed
    clearTimeout(late)
  }
}
