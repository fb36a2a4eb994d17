import { readdirSync, readFileSync } from 'node:fs'

const childrenOf = (id: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      readFileSync(`/proc/${id}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // It ended meanwhile, or the system has no /proc.
  }
}

/**
 * Returns the ids of the processes that the process started, directly or not, and that still run. A process whose parent
 * ended is not among them. Empty without /proc (man 5 proc: task/TID/children).
 */
export const liveDescendants = (id: number = process.pid): readonly number[] =>
  childrenOf(id).flatMap((child) => [child, ...liveDescendants(child)])

/** Returns the command of a process and its arguments; undefined for one that has ended, even if nobody waited for its end. */
export const commandOf = (id: number): string | undefined => {
  try {
    const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return words.length === 0 ? undefined : words.join(' ')
  } catch {
    return undefined
  }
}
