import { readFileSync } from 'node:fs'
import { quantile } from './quantile.ts'

/** A task that blocked the event loop. Times are in milliseconds. */
export interface LongTask {
  /** The time from the start of the period until the task started. */
  readonly at: number
  readonly delay: number
  /** How much of the delay was spent in garbage collection. */
  readonly garbage: number
  /** The main thread's processor time during the delay, including garbage collection. */
  readonly cpu: number
}

/** How long iterations of the event loop were delayed in a period, in milliseconds. */
export interface LoopDelays {
  /** The number of measured iterations. One starts every ten milliseconds. */
  readonly turns: number
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** The delays without the time that was spent in garbage collection. */
  readonly withoutGarbage: { readonly p50: number; readonly p99: number; readonly most: number }
  /** The main thread's processor time in an iteration, including garbage collection. Other work on the machine does not affect it. */
  readonly processor: { readonly p50: number; readonly p99: number; readonly most: number }
  readonly garbage: { readonly collections: number; readonly sum: number; readonly most: number }
  /** The longest tasks, the longest first. */
  readonly longTasks: readonly LongTask[]
}

interface Turn {
  readonly at: number
  readonly late: number
  readonly cpu: number
}

interface Collection {
  readonly start: number
  readonly duration: number
}

const LONG = 50
const MOST_PIECES = 25
/**
 * The time between two iterations of the probe. A task that delayed an iteration may have started up to this long before the iteration was
 * due.
 */
const EVERY = 10

/** Returns the time of the monotonic clock in milliseconds. All processes on a machine share this clock. */
export const monotonicTime = (): number => Number(process.hrtime.bigint()) / 1e6

/** Returns the delays that the probe has recorded between two times of `monotonicTime`. */
export const loopDelays = (file: string, from: number, to: number): LoopDelays => {
  const turns: Turn[] = []
  const collections: Collection[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, first = '', second = '', third = ''] = line.split(' ')
    const at = Number(first)
    if (at < from || at > to) continue
    if (kind === 't') turns.push({ at, late: Number(second), cpu: Number(third) })
    else if (kind === 'g') collections.push({ start: at, duration: Number(second) })
  }
  collections.sort((one, other) => one.start - other.start)
  const garbageOf = ({ at, late }: Turn): number => {
    let sum = 0
    for (const { start, duration } of collections) {
      if (start > at) break
      sum += Math.max(0, Math.min(at, start + duration) - Math.max(at - late - EVERY, start))
    }
    return Math.min(sum, late)
  }
  const measured = turns.map((turn) => ({ ...turn, garbage: turn.late > 1 ? garbageOf(turn) : 0 }))
  const figures = (of: readonly number[]) => ({
    p50: quantile(of, 0.5),
    p99: quantile(of, 0.99),
    most: quantile(of, 1),
  })
  const longTasks = measured
    .filter(({ late }) => late >= LONG)
    .sort((one, other) => other.late - one.late)
    .slice(0, MOST_PIECES)
    .map(({ at, late, garbage, cpu }) => ({ at: at - late - from, delay: late, garbage, cpu }))
  return {
    turns: turns.length,
    ...figures(measured.map(({ late }) => late)),
    withoutGarbage: figures(measured.map(({ late, garbage }) => late - garbage)),
    processor: figures(measured.map(({ cpu }) => cpu)),
    garbage: {
      collections: collections.length,
      sum: collections.reduce((sum, { duration }) => sum + duration, 0),
      most: collections.reduce((most, { duration }) => Math.max(most, duration), 0),
    },
    longTasks,
  }
}
