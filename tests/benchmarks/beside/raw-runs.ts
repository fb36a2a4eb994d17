import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Run, RunOptions } from './measure.ts'
import type { WorkloadChoice } from './workload.ts'

/** The folder of the raw runs in the repository, with one compressed file per series. */
const RUNS = fileURLToPath(new URL('runs', import.meta.url))

/** One measured run, with everything needed to repeat it. */
export interface RawRun {
  /** The number of the pair that the run belongs to. The two runs of a pair ran one after the other, or at the same time. */
  readonly pair: number
  /** The commit of this repository. It determines the version of Kerf, and for every autoscaler the version of the benchmark. */
  readonly commit: string
  readonly measuredAt: string
  /** The machine's load average immediately before the run. */
  readonly load: number
  readonly workload: WorkloadChoice
  readonly options: RunOptions
  readonly run: Run
}

const fileOf = (series: string, root: string): string => join(root, `${series}.json.gz`)

/** Returns the runs of a series, pair by pair. Returns none if the series does not exist. */
export const readSeries = (series: string, root = RUNS): readonly RawRun[] => {
  const file = fileOf(series, root)
  return existsSync(file) ? (JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly RawRun[]) : []
}

/** Returns the number of the next pair in a series. */
export const nextPair = (series: string, root = RUNS): number =>
  readSeries(series, root).reduce((most, { pair }) => Math.max(most, pair), 0) + 1

/** Returns the current commit, with a plus sign if the working tree differs from it. */
export const commitHere = (): string => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: RUNS, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no', ':/') !== ''
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`
}

export const currentLoad = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100

/** Adds one run to its series. */
export const saveRun = (series: string, raw: RawRun, root = RUNS): void => {
  mkdirSync(root, { recursive: true })
  const runs = [...readSeries(series, root), raw].sort(
    (a, b) => a.pair - b.pair || a.run.autoscaler.localeCompare(b.run.autoscaler),
  )
  writeFileSync(fileOf(series, root), gzipSync(JSON.stringify(runs), { level: 9 }))
}
