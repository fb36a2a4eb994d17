/**
 * `npm run bench:scheduling [-- NAME …] [--runs N] [--pass off|on|both] [-o json]`: measures every workload in a separate process, with the
 * improvement pass off and on. Prints the minimum, median and maximum wall time of the complete decision over the warm runs, including the
 * time to read the snapshot and the pods (`prepare`). Also prints the main thread's median processor time, both times for the cold first
 * decision, and the ratio to upstream's recorded figures, which do not include reading. The memory is the peak of a separate process that
 * makes a single decision. On a busy machine, the processor time is more reliable than the wall time.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programOptions } from '../../../tools/program-options.ts'
import type { Measurement, Run } from './measure-one.ts'
import type { Workload } from './workload.ts'
import { findWorkload, workloads } from './workloads.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./measure-one.ts', import.meta.url))

const measureOnce = async (workload: Workload, runs: string, budget: Pass): Promise<Measurement> => {
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, workload.name, runs, budget],
    { maxBuffer: 1 << 24 },
  )
  return JSON.parse(stdout)
}

const measure = async (workload: Workload, runs: string, budget: Pass): Promise<Measurement> => ({
  ...(await measureOnce(workload, runs, budget)),
  peakMemory: (await measureOnce(workload, '0', budget)).peakMemory,
})

type Pass = 'off' | 'on'

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b)
const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN
const time = (seconds: number): string =>
  seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 1)} ms` : `${seconds.toFixed(2)} s`
const count = (value: number): string => Math.round(value).toLocaleString('en-US')

const HEAD = [
  'workload',
  'pass',
  'pods',
  'min',
  'median',
  'max',
  'computed',
  'prepare',
  'cold',
  'cold computed',
  'pods/s',
  'x upstream',
  'x computed',
  'x cold',
  'x cold computed',
  'nodes',
  'upstream',
  'failed',
  '$/h',
  'peak MiB',
]

const row = (workload: Workload, budget: string, measured: Measurement): readonly string[] => {
  const middle = (value: (run: Run) => number): number => median(measured.warm.map(value))
  const wall = middle((each) => each.wall)
  const { upstream, secondsAllowed } = workload
  const ratio = (seconds: number): string =>
    upstream === undefined ? '' : count(measured.pods / seconds / upstream.podsPerSecond)
  const late = secondsAllowed !== undefined && wall > secondsAllowed ? ` > ${secondsAllowed} s!` : ''
  return [
    workload.name,
    budget,
    count(measured.pods),
    time(Math.min(...measured.warm.map((each) => each.wall))),
    time(wall) + late,
    time(Math.max(...measured.warm.map((each) => each.wall))),
    time(middle((each) => each.cpu)),
    time(middle((each) => each.preparing)),
    time(measured.cold.wall),
    time(measured.cold.cpu),
    count(measured.pods / wall),
    ratio(wall),
    ratio(middle((each) => each.cpu)),
    ratio(measured.cold.wall),
    ratio(measured.cold.cpu),
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

const { values, positionals } = programOptions(
  'npm run bench:scheduling [-- NAME …]: how long decisions about the workloads take, with the improvement pass off and on, beside upstream’s recorded figures.',
  {
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '5' },
      pass: { type: 'string', default: 'both' },
      output: { type: 'string', short: 'o', default: 'table' },
    },
  },
)
const passes = (['off', 'on'] as const).filter((pass) => values.pass === 'both' || values.pass === pass)
const chosen = positionals.length === 0 ? workloads : positionals.map(findWorkload)
const rows: (readonly string[])[] = []
const measurements: (Measurement & { readonly pass: Pass })[] = []
for (const [index, workload] of chosen.entries()) {
  process.stderr.write(`[${index + 1}/${chosen.length}] ${workload.name}: ${workload.about}\n`)
  for (const pass of passes) {
    const measured = await measure(workload, values.runs, pass)
    measurements.push({ ...measured, pass })
    rows.push(row(workload, pass, measured))
  }
}
if (values.output === 'json') process.stdout.write(`${JSON.stringify(measurements, null, 2)}\n`)
else print(rows)
