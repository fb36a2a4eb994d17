import { readFileSync } from 'node:fs'
import { liveDescendants } from '../leftovers/descendants.ts'

/** The processor seconds of one process, and of its ended children. */
interface ProcessTimes {
  readonly own: number
  readonly ofEnded: number
}

/** The kernel counts in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Reads /proc/PID/stat: the fields after the command, which may contain spaces and brackets (man 5 proc). */
export const parseStat = (text: string): ProcessTimes => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (index: number): number => Number(fields[index] ?? 0)
  return {
    own: (ticks(11) + ticks(12)) / TICKS_PER_SECOND,
    ofEnded: (ticks(13) + ticks(14)) / TICKS_PER_SECOND,
  }
}

const processTimes = (id: number): ProcessTimes | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

const sumOf = (ids: Iterable<number>): number =>
  [...ids].reduce((sum, id) => {
    const times = processTimes(id)
    return sum + (times === undefined ? 0 : times.own + times.ofEnded)
  }, 0)

/**
 * Returns the processor seconds of the processes and all their descendants, running or ended. A process that is gone counts
 * as zero.
 */
export const processorSeconds = (ids: Iterable<number>): number =>
  sumOf(new Set([...ids].flatMap((id) => [id, ...liveDescendants(id)])))

/** Returns the processor seconds of all descendants of this process, running or ended. Zero without /proc. */
export const descendantSeconds = (): number => (processTimes(process.pid)?.ofEnded ?? 0) + sumOf(liveDescendants())
