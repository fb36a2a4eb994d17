/**
 * Measures one size with one method in a process of its own, so that its memory is its own:
 * `measure-one.ts NODES kerf|upstream LOOKS ROUNDS SEED`. Prints one JSON line.
 */
import { SystemClock } from '@kerf/runtime'
import type { Command } from '../../controllers/src/disruption/commands/command.ts'
import { multiNode } from '../../controllers/src/disruption/methods/multi-node.ts'
import { singleNode } from '../../controllers/src/disruption/methods/single-node.ts'
import type { DisruptionPass } from '../../controllers/src/disruption/passes/disruption-pass.ts'
import { BenchWorld, benchTypes } from './bench-world.ts'
import { firstSingle, prefixSearch } from './prefix-search.ts'

/** Seconds of wall time and of the processor's. */
export interface Seconds {
  readonly wall: number
  readonly cpu: number
}

/** One look at the whole cluster, from reading it to the decision. */
export interface Look {
  /** Assessing all nodes, and the index for the first question. */
  readonly reading: Seconds
  /** Every candidate by itself; only Kerf asks about all of them. */
  readonly singles?: Seconds
  /** The search for nodes that go together. */
  readonly multi: Seconds
}

/** How far a course of commands had come: all that was saved, in dollars an hour, and all that was evicted. */
export interface Step {
  readonly saving: number
  readonly evictions: number
  /** Nodes that the command took. */
  readonly nodes: number
}

export interface Measurement {
  readonly nodes: number
  readonly method: 'kerf' | 'upstream'
  readonly candidates: number
  readonly cost: number
  /** The first is cold. */
  readonly looks: readonly Look[]
  /** What the looks found: how many nodes could go by themselves, and how many the first command takes together. */
  readonly movable?: number
  readonly together: number
  /** One step for each command, each decided on what the ones before it left. */
  readonly course: readonly Step[]
  /** Whether there was nothing more to do; otherwise the rounds were over, or enough was saved. */
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
const world = new BenchWorld(Number(count), await benchTypes(), Number(seed))

const decideMulti = async (round: DisruptionPass): Promise<Command | undefined> => {
  const budgets = round.budgets('Underutilized')
  const candidates = world.candidates(round)
  if (method === 'upstream') return await prefixSearch(candidates, round, budgets, clock, signal)
  const found = await multiNode.search({ candidates, pass: round, budgets }, world.tools, signal)
  return found?.[0]
}
const decideSingle = async (round: DisruptionPass): Promise<Command | undefined> => {
  const budgets = round.budgets('Underutilized')
  const candidates = world.candidates(round)
  if (method === 'upstream') return await firstSingle(candidates, round, budgets, clock, signal)
  const found = await singleNode.search({ candidates, pass: round, budgets }, world.tools, signal)
  return found?.[0]
}

/** The question about nobody reads and indexes the snapshot. */
const read = async (): Promise<DisruptionPass> => {
  const round = await world.round()
  await round.simulate([], true, signal)
  return round
}

const askAll = async (round: DisruptionPass): Promise<number> => {
  let movable = 0
  for (const candidate of world.candidates(round)) {
    if (!('code' in (await round.consolidateSingleNode(candidate, signal)))) movable++
  }
  return movable
}

const taken: Look[] = []
let movable: number | undefined
let together = 0
for (let look = 0; look < Number(looks); look++) {
  world.change()
  const reading = await timed(read)
  const singles = method === 'upstream' ? undefined : await timed(() => askAll(reading.value))
  const multi = await timed(() => decideMulti(reading.value))
  movable = singles?.value
  together = multi.value?.candidates.length ?? 0
  taken.push({
    reading: reading.seconds,
    ...(singles === undefined ? {} : { singles: singles.seconds }),
    multi: multi.seconds,
  })
}

/** A course of a large cluster takes minutes: somebody may be watching. */
const TOLD_EVERY = 5_000
let toldAt = clock.monotonic()
const tell = (cost: number, { saving, evictions }: Step, commands: number): void => {
  if (clock.monotonic() - toldAt < TOLD_EVERY) return
  toldAt = clock.monotonic()
  const share = ((100 * saving) / cost).toFixed(1)
  process.stderr.write(`${count} nodes, ${method}: ${commands} commands, ${share} % saved, ${evictions} evictions\n`)
}

const begin = await world.round()
const cost = world.cost(begin)
const course: Step[] = []
let isOver = false
let evictions = 0
let saving = 0
while (course.length < Number(rounds) && saving < Number(enough)) {
  const round = await world.round()
  const command = (await decideMulti(round)) ?? (await decideSingle(round))
  if (command === undefined) {
    isOver = true
    break
  }
  const applied = world.apply(command)
  evictions += applied.evictions
  saving += applied.saving
  const step = { saving, evictions, nodes: command.candidates.length }
  course.push(step)
  tell(cost, step, course.length)
}

const measurement: Measurement = {
  nodes: Number(count),
  method,
  candidates: world.candidates(begin).length,
  cost,
  looks: taken,
  ...(movable === undefined ? {} : { movable }),
  together,
  course,
  isOver,
  peakMebibytes: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(`${JSON.stringify(measurement)}\n`)
