import { readFileSync } from 'node:fs'

/** Milliseconds per tick. The kernel counts processor time in hundredths of a second. */
const TICK = 10

/** Returns the user and system time of a process in milliseconds, as the kernel counts it. */
export const processCpu = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command name before these fields may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

/**
 * Returns memory in MiB: `VmRSS` is the resident memory, `VmHWM` its peak, and `RssFile` the part that holds pages of programs and
 * libraries.
 */
export const processMemory = (pid: number, field: 'VmRSS' | 'VmHWM' | 'RssFile'): number => {
  const [, kibibytes = ''] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
