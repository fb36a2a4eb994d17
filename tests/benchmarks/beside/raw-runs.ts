import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run, RunOptions } from './measure.ts'
import type { WorkloadChoice } from './workload.ts'

/** The folder of committed raw runs, with one folder for each series. */
const RUNS = fileURLToPath(new URL('runs', import.meta.url))

/** One measured run, with the data to repeat it. */
export interface RawRun {
  /** Runs with the same number ran one after the other, or at the same time. */
  readonly pair: number
  /** The commit of this repository: the version of Kerf and, for every autoscaler, of the benchmark. */
  readonly commit: string
  readonly measuredAt: string
  /** The load of the machine immediately before the run. */
  readonly load: number
  readonly workload: WorkloadChoice
  readonly options: RunOptions
  readonly run: Run
}

const numberOf = (pair: number): string => String(pair).padStart(2, '0')

/** Returns the runs of a series, pair by pair. Empty if the series does not exist. */
export const readSeries = (series: string, root = RUNS): readonly RawRun[] => {
  const folder = join(root, series)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as RawRun)
}

/** Returns the number for the next pair of a series. */
export const nextPair = (series: string, root = RUNS): number =>
  readSeries(series, root).reduce((most, { pair }) => Math.max(most, pair), 0) + 1

/** Returns the current commit, with a plus if files differ from it. */
export const commitHere = (): string => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: RUNS, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no', ':/') !== ''
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`
}

export const currentLoad = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100

/** Writes one run to its series. */
export const saveRun = (series: string, raw: RawRun, root = RUNS): string => {
  const folder = join(root, series)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${numberOf(raw.pair)}-${raw.run.autoscaler.replaceAll(/[^\w.-]/g, '-')}.json`)
  writeFileSync(file, `${JSON.stringify(raw)}\n`)
  return file
}
