/**
 * Measures one cluster size with one method in a separate process, so that its memory is measured separately: `measure-one.ts NODES
 * kerf|upstream LOOKS ROUNDS SEED`. Prints one JSON line.
 */
import { SystemClock } from '@kerf/runtime'
import type { Command } from '../../../packages/controllers/src/disruption/commands/command.ts'
import { multiNode } from '../../../packages/controllers/src/disruption/methods/multi-node.ts'
import { singleNode } from '../../../packages/controllers/src/disruption/methods/single-node.ts'
import type { DisruptionPass } from '../../../packages/controllers/src/disruption/passes/disruption-pass.ts'
import { BenchEnvironment, benchTypes } from './bench-environment.ts'
import { firstSingle, prefixSearch } from './prefix-search.ts'

/** Wall time and processor time, in seconds. */
export interface Seconds {
  readonly wall: number
  readonly cpu: number
}

/** The times of one pass over the whole cluster, from the reading of the cluster to the decision. */
export interface PassTimes {
  /** The time to read the cluster, assess all nodes, and build the index for the first simulation. */
  readonly reading: Seconds
  /** The time to assess every candidate separately. Only Kerf does this for all candidates. */
  readonly singles?: Seconds
  /** The time to search for several nodes that can be disrupted together. */
  readonly multi: Seconds
}

/** The totals after a command: savings in US dollars per hour, and evicted pods. */
export interface Step {
  readonly saving: number
  readonly evictions: number
  /** The number of nodes that the command deleted. */
  readonly nodes: number
}

export interface Measurement {
  readonly nodes: number
  readonly method: 'kerf' | 'upstream'
  readonly candidates: number
  readonly cost: number
  /** The times of each pass. In the first pass, nothing is cached. */
  readonly looks: readonly PassTimes[]
  /**
   * `movable` is the number of nodes that can be disrupted individually. `together` is the number of nodes that the first command disrupts
   * together.
   */
  readonly movable?: number
  readonly together: number
  /** The totals after each command. Each command is decided after the previous ones have taken effect. */
  readonly course: readonly Step[]
  /** Whether no further command was possible. Otherwise the measurement ended because all rounds were used, or because enough was saved. */
  readonly isOver: boolean
  readonly peakMebibytes: number
}

const { signal } = new AbortController()
const clock = new SystemClock()

const timed = async <T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: Seconds }> => {
  const wall = clock.monotonic()
  const cpu = process.cpuUsage()
  const value = await work()
  const seconds = { wall: (clock.monotonic() - wall) / 1_000, cpu: process.cpuUsage(cpu).user / 1e6 }
  return { value, seconds }
}

const [count = '300', method = 'kerf', looks = '1', rounds = '1', seed = '1', enough = 'Infinity'] =
  process.argv.slice(2)
if (method !== 'kerf' && method !== 'upstream') throw new Error(`there is no method ${method}`)
const environment = new BenchEnvironment(Number(count), await benchTypes(), Number(seed))

const decideMulti = async (pass: DisruptionPass): Promise<Command | undefined> => {
  const budgets = pass.budgets('Underutilized')
  const candidates = environment.candidates(pass)
  if (method === 'upstream') return await prefixSearch(candidates, pass, budgets, clock, signal)
  const found = await multiNode.search({ candidates, pass, budgets }, environment.tools, signal)
  return found?.[0]
}
const decideSingle = async (pass: DisruptionPass): Promise<Command | undefined> => {
  const budgets = pass.budgets('Underutilized')
  const candidates = environment.candidates(pass)
  if (method === 'upstream') return await firstSingle(candidates, pass, budgets, clock, signal)
  const found = await singleNode.search({ candidates, pass, budgets }, environment.tools, signal)
  return found?.[0]
}

/** Reads the cluster. Also runs a simulation without candidates, which builds the index of the snapshot. */
const read = async (): Promise<DisruptionPass> => {
  const pass = await environment.pass()
  await pass.simulate([], true, signal)
  return pass
}

const askAll = async (pass: DisruptionPass): Promise<number> => {
  let movable = 0
  for (const candidate of environment.candidates(pass)) {
    if (!('code' in (await pass.consolidateSingleNode(candidate, signal)))) movable++
  }
  return movable
}

const passes: PassTimes[] = []
let movable: number | undefined
let together = 0
for (let index = 0; index < Number(looks); index++) {
  environment.change()
  const reading = await timed(read)
  const singles = method === 'upstream' ? undefined : await timed(() => askAll(reading.value))
  const multi = await timed(() => decideMulti(reading.value))
  movable = singles?.value
  together = multi.value?.candidates.length ?? 0
  passes.push({
    reading: reading.seconds,
    ...(singles === undefined ? {} : { singles: singles.seconds }),
    multi: multi.seconds,
  })
}

/** How often the progress is reported, because the commands of a large cluster take minutes. */
const REPORT_INTERVAL = 5_000
let reportedAt = clock.monotonic()
const report = (cost: number, { saving, evictions }: Step, commands: number): void => {
  if (clock.monotonic() - reportedAt < REPORT_INTERVAL) return
  reportedAt = clock.monotonic()
  const share = ((100 * saving) / cost).toFixed(1)
  process.stderr.write(`${count} nodes, ${method}: ${commands} commands, ${share} % saved, ${evictions} evictions\n`)
}

const begin = await environment.pass()
const cost = environment.cost(begin)
const course: Step[] = []
let isOver = false
let evictions = 0
let saving = 0
while (course.length < Number(rounds) && saving < Number(enough)) {
  const pass = await environment.pass()
  const command = (await decideMulti(pass)) ?? (await decideSingle(pass))
  if (command === undefined) {
    isOver = true
    break
  }
  const applied = environment.apply(command)
  evictions += applied.evictions
  saving += applied.saving
  const step = { saving, evictions, nodes: command.candidates.length }
  course.push(step)
  report(cost, step, course.length)
}

const measurement: Measurement = {
  nodes: Number(count),
  method,
  candidates: environment.candidates(begin).length,
  cost,
  looks: passes,
  ...(movable === undefined ? {} : { movable }),
  together,
  course,
  isOver,
  peakMebibytes: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(`${JSON.stringify(measurement)}\n`)
