import { readFileSync } from 'node:fs'
import { liveDescendants } from '../leftovers/descendants.ts'

/** The CPU time of one process and of its ended children, in seconds. */
interface ProcessTimes {
  readonly own: number
  readonly ofEnded: number
}

/** On every Linux that Node.js supports, the kernel counts in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** Parses /proc/PID/stat. The command name may contain spaces and parentheses, so the fields are read after its end (man 5 proc). */
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
 * Returns the CPU seconds of the processes and all their descendants, including ended ones. A process that does not exist counts as zero.
 */
export const processorSeconds = (ids: Iterable<number>): number =>
  sumOf(new Set([...ids].flatMap((id) => [id, ...liveDescendants(id)])))

/** Returns the CPU seconds of all descendants of this process, including ended ones. Returns zero if the system has no /proc. */
export const descendantSeconds = (): number => (processTimes(process.pid)?.ofEnded ?? 0) + sumOf(liveDescendants())
