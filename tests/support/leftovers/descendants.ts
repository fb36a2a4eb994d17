import { readdirSync, readFileSync } from 'node:fs'

const childrenOf = (id: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      readFileSync(`/proc/${id}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // The process has ended, or the system has no /proc.
  }
}

/**
 * Returns the IDs of all running descendants of the process, except those whose parent has ended. Returns none if the system has no /proc
 * (man 5 proc: task/TID/children).
 */
export const liveDescendants = (id: number = process.pid): readonly number[] =>
  childrenOf(id).flatMap((child) => [child, ...liveDescendants(child)])

/** Returns the command line of a process. Returns undefined after the process has ended, even if its parent has not waited for it yet. */
export const processCommand = (id: number): string | undefined => {
  try {
    const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return words.length === 0 ? undefined : words.join(' ')
  } catch {
    return undefined
  }
}
