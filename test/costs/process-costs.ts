import { readdirSync, readFileSync } from 'node:fs'

/** Processor seconds of one process: its own, and those of its children that ended. */
interface ProcessTimes {
  readonly id: number
  readonly parent: number
  readonly own: number
  readonly ofEnded: number
}

/** The kernel counts in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** The fields of /proc/PID/stat after the command, which may contain spaces and brackets (man 5 proc). */
const parseStat = (id: number, text: string): ProcessTimes => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (index: number): number => Number(fields[index] ?? 0)
  return {
    id,
    parent: ticks(1),
    own: (ticks(11) + ticks(12)) / TICKS_PER_SECOND,
    ofEnded: (ticks(13) + ticks(14)) / TICKS_PER_SECOND,
  }
}

const processTimes = (id: number): ProcessTimes | undefined => {
  try {
    return parseStat(id, readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

const allProcesses = (): readonly ProcessTimes[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => processTimes(Number(name)) ?? [])
  } catch {
    return []
  }
}

/** Returns these processes and those that they started, directly or not, and that still run. */
const withDescendants = (ids: Iterable<number>): ReadonlySet<number> => {
  const processes = allProcesses()
  const found = new Set(ids)
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { id, parent } of processes) if (found.has(parent)) found.add(id)
  }
  return found
}

const sumOf = (ids: Iterable<number>): number =>
  [...ids].reduce((sum, id) => {
    const times = processTimes(id)
    return sum + (times === undefined ? 0 : times.own + times.ofEnded)
  }, 0)

/**
 * Returns the processor seconds that the processes and everything they started have used, ended or not. A process that is
 * gone counts nothing.
 */
export const processorSeconds = (ids: Iterable<number>): number => sumOf(withDescendants(ids))

/** Returns the processor seconds of everything that this process started, ended or not. Zero without /proc. */
export const descendantSeconds = (): number => {
  const started = new Set(withDescendants([process.pid]))
  started.delete(process.pid)
  return (processTimes(process.pid)?.ofEnded ?? 0) + sumOf(started)
}
