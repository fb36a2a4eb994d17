import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The resources that a command used, including those of all Node.js processes that it started. */
export interface Usage {
  /** Milliseconds from the start of the command to its end, or to the expected line. */
  readonly wall: number
  /** The command's user and system time until its end, in milliseconds. */
  readonly cpu: number
  /** The peak memory of the command's largest process, in MiB. */
  readonly peak: number
}

export interface MeasuredCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** If set, the command is interrupted (as by Ctrl-C) after it has printed matching output. */
  readonly until?: RegExp
}

const LONGEST = 15 * 60_000
const preload = new URL('usage-at-exit.mjs', import.meta.url).href

/** Runs a command once. Throws if it fails, takes longer than fifteen minutes, or never prints the expected line. */
export const measure = async ({ command, args, cwd, env, until }: MeasuredCommand): Promise<Usage> => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-usage-'))
  const began = performance.now()
  let wall: number | undefined
  let output = ''
  // With its own process group, all processes of the command can be interrupted at once, as a terminal does on Ctrl-C.
  const child = spawn(command, [...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, NODE_OPTIONS: `--import=${preload}`, KERF_BENCH_USAGE: folder },
  })
  const interrupt = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  }
  const timer = setTimeout(() => interrupt('SIGKILL'), LONGEST)
  const look = (text: string): void => {
    output = (output + text).slice(-100_000)
    if (until === undefined || wall !== undefined || !until.test(output)) return
    wall = performance.now() - began
    interrupt('SIGINT')
  }
  child.stdout.setEncoding('utf8').on('data', look)
  child.stderr.setEncoding('utf8').on('data', look)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    if (until === undefined ? code !== 0 : wall === undefined)
      throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${output.slice(-2_000)}`)
    wall ??= performance.now() - began
    const usages = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Pick<Usage, 'cpu' | 'peak'>,
    )
    return {
      wall,
      cpu: usages.reduce((sum, { cpu }) => sum + cpu, 0),
      peak: Math.max(...usages.map(({ peak }) => peak)),
    }
  } finally {
    clearTimeout(timer)
    rmSync(folder, { recursive: true, force: true })
  }
}
