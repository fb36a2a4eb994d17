import { cpus, loadavg } from 'node:os'
import type { Usage } from './measured-command.ts'

/** One command and its limits. */
export interface Measured {
  /** The command as a user types it. */
  readonly title: string
  readonly runs: readonly Usage[]
  /** The maximum for the median of the wall times, in milliseconds. */
  readonly bar?: number
  /** A sentence about the command that is shown below the table. */
  readonly note?: string
}

const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((a, b) => a - b)
const at = (numbers: readonly number[], place: number): number => sorted(numbers)[place] ?? 0
const median = (numbers: readonly number[]): number => at(numbers, Math.floor((numbers.length - 1) / 2))

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)

/** Returns `minimum · median · maximum`, for example `0.21 · 0.23 · 0.31`. */
const spread = (numbers: readonly number[], show: (value: number) => string): string =>
  [at(numbers, 0), median(numbers), at(numbers, numbers.length - 1)].map(show).join(' · ')

/**
 * Returns whether the median wall time is below the limit. If it is not, the median processor time decides, because on a busy machine a
 * process also waits for the processor.
 */
export const resultVerdict = ({ runs, bar }: Measured): 'held' | 'held by processor time' | 'MISSED' | undefined => {
  if (bar === undefined) return undefined
  if (median(runs.map(({ wall }) => wall)) < bar) return 'held'
  return median(runs.map(({ cpu }) => cpu)) < bar ? 'held by processor time' : 'MISSED'
}

const rowOf = (measured: Measured, bare: number): string => {
  const { title, runs, bar } = measured
  const cpu = runs.map((run) => run.cpu)
  return `| ${[
    title,
    spread(
      runs.map(({ wall }) => wall),
      seconds,
    ),
    spread(cpu, seconds),
    `${(median(cpu) / bare).toFixed(1)} ×`,
    spread(
      runs.map(({ peak }) => peak),
      (peak) => peak.toFixed(0),
    ),
    bar === undefined ? '' : `${seconds(bar)} s: ${resultVerdict(measured)}`,
  ].join(' | ')} |`
}

/** Returns the page of results. `bareTitle` is the command that only starts Node.js and does nothing. */
export const resultsPage = (all: readonly Measured[], bareTitle: string, commit: string): string => {
  const bare = all.find(({ title }) => title === bareTitle)
  const base = median(bare?.runs.map(({ cpu }) => cpu) ?? [])
  const counts = all.map(({ runs }) => runs.length)
  return `# How long the command line takes

Written by \`npm run bench:cli -- --write\` at commit ${commit}: ${Math.min(...counts)} runs of each command on ${cpus().length} cores, Node ${process.version}, load ${(loadavg()[0] ?? 0).toFixed(0)}.
Numbers are minimum · median · maximum. Each row measures a command with all Node processes that it starts: the launcher, npm and Kerf.

- *bar*: the limit for the wall time. On a busy machine, a command also waits for a core. Its CPU time is then compared with the limit instead.
- *bare Node*: the CPU time, divided by that of a Node process that does nothing.
- The first hours ([tests/integration/first-hour](../../integration/first-hour/README.md)) include waiting for pods and recordings.
- Some rows may be older than the page, because a run updates only the rows that it measures.

| command | wall, s | processor, s | bare Node | peak, MiB | bar |
|---|---|---|---|---|---|
${all.map((measured) => rowOf(measured, base)).join('\n')}
${all.flatMap(({ note }) => (note === undefined ? [] : [`\n${note}\n`])).join('')}`
}
