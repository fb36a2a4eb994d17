/**
 * `npm run bench:scheduling [-- NAME …] [--runs N] [-o json]`: every workload in a process of its own, with the improvement
 * pass off and on. Prints minimum, median and maximum of the decision over the warm runs, the
 * median of reading the snapshot before it, the cold first run, and the ratio to upstream's
 * recorded figures. Absolute times say little on a shared machine; the ratios are of one run.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { Measurement } from './measure-one.ts'
import type { Workload } from './workload.ts'
import { findWorkload, workloads } from './workloads.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./measure-one.ts', import.meta.url))

const measure = async (workload: Workload, runs: string, budget: 'off' | 'on'): Promise<Measurement> => {
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, workload.name, runs, budget],
    { maxBuffer: 1 << 24 },
  )
  return JSON.parse(stdout)
}

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b)
const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN
const time = (seconds: number): string =>
  seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 1)} ms` : `${seconds.toFixed(2)} s`
const count = (value: number): string => Math.round(value).toLocaleString('en-US')

const HEAD = [
  'workload',
  'pass',
  'pods',
  'prepare',
  'min',
  'median',
  'max',
  'cold',
  'pods/s',
  'x upstream',
  'x cold',
  'nodes',
  'up',
  'failed',
  '$/h',
  'peak MiB',
]

const row = (workload: Workload, budget: string, measured: Measurement): readonly string[] => {
  const middle = median(measured.warm)
  const { upstream, secondsAllowed } = workload
  const ratio = (seconds: number): string =>
    upstream === undefined ? '' : count(measured.pods / seconds / upstream.podsPerSecond)
  const late = secondsAllowed !== undefined && middle > secondsAllowed ? ` > ${secondsAllowed} s!` : ''
  return [
    workload.name,
    budget,
    count(measured.pods),
    time(median(measured.preparing)),
    time(Math.min(...measured.warm)),
    time(middle) + late,
    time(Math.max(...measured.warm)),
    time(measured.cold),
    count(measured.pods / middle),
    ratio(middle),
    ratio(measured.cold),
    count(measured.claims),
    upstream?.nodes === undefined ? '' : count(upstream.nodes),
    count(measured.unschedulable),
    measured.hourlyCost.toFixed(2),
    count(measured.peakMemory),
  ]
}

const print = (rows: readonly (readonly string[])[]): void => {
  const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  process.stdout.write(`${[HEAD, ...rows].map(line).join('\n')}\n`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, output: { type: 'string', short: 'o', default: 'table' } },
})
const chosen = positionals.length === 0 ? workloads : positionals.map(findWorkload)
const rows: (readonly string[])[] = []
const measurements: (Measurement & { readonly pass: string })[] = []
for (const [index, workload] of chosen.entries()) {
  process.stderr.write(`[${index + 1}/${chosen.length}] ${workload.name}: ${workload.about}\n`)
  for (const budget of ['off', 'on'] as const) {
    const measured = await measure(workload, values.runs, budget)
    measurements.push({ ...measured, pass: budget })
    rows.push(row(workload, budget, measured))
  }
}
if (values.output === 'json') process.stdout.write(`${JSON.stringify(measurements, null, 2)}\n`)
else print(rows)
