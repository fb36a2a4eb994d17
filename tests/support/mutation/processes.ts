import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Cost, mostCpu } from './hang-watch.ts'

export interface Bench {
  /** The copy of the tree, into which the mutants are compiled. */
  readonly tree: string
  /** The folder through which the phases exchange data. */
  readonly state: string
  readonly node: string
  /** The test files, relative to the tree. */
  readonly files: readonly string[]
  readonly workers: number
  readonly print: (line: string) => void
}

/** A record that a process writes before each repetition, so that a hanging repetition can be identified. */
export interface Mark {
  readonly id: number
  readonly test: string
  /** The CPU time that the process had used, in milliseconds. */
  readonly cpu: number
  readonly cost: Cost
}

/** Returns the CPU time of a process in milliseconds. On systems other than Linux, returns the wall time since `since`. */
const processorTime = (pid: string, since: number): number => {
  if (process.platform !== 'linux') return Date.now() - since
  // The fields utime and stime are in hundredths of a second. The command name before them is in parentheses and may contain spaces
  // (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

interface Run {
  readonly phase: 'cover' | 'judge' | 'plain'
  readonly files: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  /** The time limit of the run, in milliseconds. */
  readonly limit?: number
}

const start = (bench: Bench, { phase, files, env, flags }: Run): ChildProcess =>
  spawn(
    bench.node,
    [
      join(bench.tree, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      'vitest.mutation.config.ts',
      '--reporter=dot',
      '--silent=true',
      ...(flags ?? []),
      ...files,
    ],
    {
      cwd: bench.tree,
      // The run gets its own process group, so that its workers end with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${dirname(bench.node)}:${process.env['PATH'] ?? ''}`,
        KERF_MUTATION_PHASE: phase,
        KERF_MUTATION_DIRECTORY: bench.state,
        KERF_MUTATION_WORKERS: String(bench.workers),
        ...env,
      },
    },
  )

interface Ended {
  readonly code: number | null
  readonly output: string
  /** The repetitions that were in progress when the process was found to hang. */
  readonly hung: readonly Mark[]
}

/** Returns the repetition on which a process has spent far too much time without returning to the event loop. */
const stuck = (path: string, pid: string): readonly Mark[] => {
  try {
    const mark = JSON.parse(readFileSync(path, 'utf8')) as Mark
    const began = process.platform === 'linux' ? mark.cpu : 0
    return processorTime(pid, statSync(path).mtimeMs) - began > 2 * mostCpu(mark.cost) ? [mark] : []
  } catch {
    // The process has ended, or is writing the file at this moment.
    return []
  }
}

/** Runs Vitest in the copy of the tree. It gets a process group that ends together with this process. */
export const run = (bench: Bench, options: Run): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = start(bench, options)
    const began = Date.now()
    let output = ''
    let hung: Ended['hung'] = []
    const gather = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout?.on('data', gather)
    child.stderr?.on('data', gather)
    const end = (): void => {
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL')
        } catch {
          // The process has already ended.
        }
      }
    }
    process.once('exit', end)
    const watch = setInterval(() => {
      if (options.limit !== undefined && Date.now() - began > options.limit) return end()
      if (options.phase !== 'judge' || hung.length > 0) return
      hung = readdirSync(bench.state)
        .filter((name) => name.startsWith('now-'))
        .flatMap((name) => stuck(join(bench.state, name), name.slice(4)))
      if (hung.length > 0) end()
    }, 1_000)
    const done = (): void => {
      clearInterval(watch)
      process.removeListener('exit', end)
      for (const name of readdirSync(bench.state))
        if (name.startsWith('now-')) rmSync(join(bench.state, name), { force: true })
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('close', (code) => {
      done()
      resolve({ code, output, hung })
    })
  })
