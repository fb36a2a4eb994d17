/**
 * `npm run bench:consolidation [-- SIZE …] [--looks N] [--rounds N] [--seed N] [--rest] [-o json]`: compares Kerf's consolidation with
 * upstream's search, on identical clusters of 300, 700, 2,000 and 5,000 nodes. First it measures one pass over the whole cluster, while
 * nothing else runs. Then it runs both methods at the same time until no further command is possible. In large clusters, Kerf stops when it
 * has saved as much as upstream's method in total. Fails if a threshold is missed.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { programOptions } from '../../../tools/program-options.ts'
import type { Measurement, PassTimes, Seconds, Step } from './measure-one.ts'

/**
 * The limits for 5,000 nodes, in seconds. `singles` is for reading the cluster and assessing each node separately. `all` also includes the
 * search for several nodes.
 */
const MOST_SECONDS = { singles: 2, all: 10 }
const SIZES = ['300', '700', '2000', '5000']
/** In clusters larger than this, and without `--rest`, Kerf stops when it has saved as much as upstream's method in total. */
const TO_REST = 1_000

const script = fileURLToPath(new URL('./measure-one.ts', import.meta.url))

const { values, positionals } = programOptions(
  'npm run bench:consolidation [-- SIZE …]: Kerf’s consolidation beside upstream’s search, on the same clusters of 300, 700, 2000 and 5000 nodes.',
  {
    allowPositionals: true,
    options: {
      looks: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      rest: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'table' },
    },
  },
)

type MethodName = Measurement['method']

/** Measures in a separate process, and forwards its progress. */
const measure = async (
  nodes: string,
  method: MethodName,
  looks: string,
  rounds: string,
  enough = Number.POSITIVE_INFINITY,
): Promise<Measurement> => {
  const args = ['--disable-warning=ExperimentalWarning', script, nodes, method, looks, rounds, values.seed, `${enough}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stdout = await text(child.stdout)
  if ((await exit) !== 0) throw new Error(`measuring ${nodes} nodes with ${method} failed`)
  return JSON.parse(stdout) as Measurement
}

const measurePasses = async (nodes: string, method: MethodName): Promise<Measurement> => {
  process.stderr.write(`${nodes} nodes, ${method}: one pass after the other\n`)
  return await measure(nodes, method, values.looks, '0')
}

const withCommands = async (measured: Measurement, enough?: number): Promise<Measurement> => {
  process.stderr.write(`${measured.nodes} nodes, ${measured.method}: one command after the other\n`)
  const { course, isOver } = await measure(String(measured.nodes), measured.method, '0', values.rounds, enough)
  return { ...measured, course, isOver }
}

const NOTHING: Seconds = { wall: 0, cpu: 0 }
const NO_STEP: Step = { saving: 0, evictions: 0, nodes: 0 }

const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((a, b) => a - b)
/** Returns the median, with the minimum and maximum in parentheses. */
const spread = (numbers: readonly number[]): string => {
  const all = sorted(numbers)
  const at = (place: number): string => (all[place] ?? Number.NaN).toFixed(2)
  return `${at(Math.floor(all.length / 2))} (${at(0)}–${at(all.length - 1)})`
}

const singlesOf = ({ reading, singles = NOTHING }: PassTimes): Seconds => ({
  wall: reading.wall + singles.wall,
  cpu: reading.cpu + singles.cpu,
})
const allOf = (pass: PassTimes): Seconds => {
  const { wall, cpu } = singlesOf(pass)
  return { wall: wall + pass.multi.wall, cpu: cpu + pass.multi.cpu }
}

const lastOf = ({ course }: Measurement): Step => course.at(-1) ?? NO_STEP
/**
 * Returns the totals after the first command with which the total saving reaches this amount. They include this whole command, because a
 * command cannot be executed partially.
 */
const reached = ({ course }: Measurement, saving: number): (Step & { readonly commands: number }) | undefined => {
  // A difference of less than a cent is a rounding error.
  const place = course.findIndex((step) => step.saving >= saving - 0.005)
  const step = course[place]
  return step === undefined ? undefined : { ...step, commands: place + 1 }
}
const evictionsPerDollar = ({ evictions, saving }: Step): number => evictions / saving

interface Pair {
  readonly kerf: Measurement
  readonly upstream: Measurement
}

const problemsOf = ({ kerf, upstream }: Pair): readonly string[] => {
  const problems: string[] = []
  const at = (what: string): void => {
    problems.push(`${kerf.nodes} nodes: ${what}`)
  }
  // The wall time includes waiting for a processor, and the processor time is the sum over both cores. So both may be too high, and the
  // smaller of the two is closer to the real effort.
  const median = (of: (pass: PassTimes) => Seconds): number =>
    sorted(kerf.looks.map((look) => Math.min(of(look).wall, of(look).cpu)))[Math.floor(kerf.looks.length / 2)] ??
    Number.POSITIVE_INFINITY
  if (median(singlesOf) >= MOST_SECONDS.singles) at(`the single-node questions take ${MOST_SECONDS.singles} s or more`)
  if (median(allOf) >= MOST_SECONDS.all) at(`all questions take ${MOST_SECONDS.all} s or more`)
  const theirs = lastOf(upstream)
  const there = reached(kerf, theirs.saving)
  if (there === undefined) at('upstream saves more')
  else if (evictionsPerDollar(there) > evictionsPerDollar(theirs))
    at('upstream evicts fewer pods for each dollar saved')
  return problems
}

const print = (title: string, rows: readonly (readonly string[])[]): void => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')
  process.stdout.write(`${title}\n${rows.map(line).join('\n')}\n\n`)
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US')
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

const measured: Pair[] = []
for (const nodes of positionals.length === 0 ? SIZES : positionals) {
  measured.push({ kerf: await measurePasses(nodes, 'kerf'), upstream: await measurePasses(nodes, 'upstream') })
}
// The machine has two processors. Therefore upstream's commands of the next size are measured while Kerf's are measured.
let before: Promise<unknown> = Promise.resolve()
const theirs = measured.map(({ upstream }) => {
  const commands = before.then(() => withCommands(upstream))
  before = commands
  return commands
})
const pairs: Pair[] = []
for (const [place, { kerf }] of measured.entries()) {
  const upstream = await theirs[place]
  if (upstream === undefined) continue
  const isShort = kerf.nodes > TO_REST && !values.rest
  pairs.push({ kerf: await withCommands(kerf, isShort ? lastOf(upstream).saving : undefined), upstream })
}
const problems = pairs.flatMap(problemsOf)

if (values.output === 'json') process.stdout.write(`${JSON.stringify({ pairs, problems }, null, 2)}\n`)
else {
  print(`One pass: seconds, the median of ${values.looks} with the least and the most`, [
    ['nodes', 'method', 'read', 'each node', 'several', 'all, wall', 'all, user', 'disruptable', 'at once', 'peak MiB'],
    ...pairs.flatMap(({ kerf, upstream }) =>
      [kerf, upstream].map(({ nodes, method, looks, movable, together, peakMebibytes }) => [
        count(nodes),
        method,
        spread(looks.map(({ reading }) => reading.wall)),
        movable === undefined ? '' : spread(looks.map(({ singles = NOTHING }) => singles.wall)),
        spread(looks.map(({ multi }) => multi.wall)),
        spread(looks.map((pass) => allOf(pass).wall)),
        spread(looks.map((pass) => allOf(pass).cpu)),
        movable === undefined ? '' : count(movable),
        count(together),
        count(peakMebibytes),
      ]),
    ),
  ])
  print(`At most ${values.rounds} commands, each decided on what the last one left`, [
    [
      'nodes',
      '$/h before',
      'method',
      'commands',
      'over',
      'saved $/h',
      'of all',
      'evictions',
      "upstream's saving after",
    ],
    ...pairs.flatMap(({ kerf, upstream }) =>
      [kerf, upstream].map((measurement) => {
        const { nodes, cost, method, course, isOver } = measurement
        const { saving, evictions } = lastOf(measurement)
        const there = reached(measurement, lastOf(upstream).saving)
        return [
          count(nodes),
          cost.toFixed(2),
          method,
          count(course.length),
          isOver ? 'yes' : method === 'kerf' && there !== undefined ? 'enough' : 'no',
          saving.toFixed(2),
          percent(saving, cost),
          count(evictions),
          there === undefined
            ? 'never'
            : `${there.commands} commands, ${count(there.evictions)} evictions for $${there.saving.toFixed(2)}`,
        ]
      }),
    ),
  ])
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`thresholds: ${problems.length === 0 ? 'met' : 'NOT MET'}\n`)
}
process.exitCode = problems.length === 0 ? 0 : 1
