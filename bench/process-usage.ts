import { readFileSync } from 'node:fs'

/** The kernel counts processor time in hundredths of a second. */
const TICK = 10

/** Processor time that a process has used, of user and kernel, in milliseconds: the kernel's own books. */
export const cpuOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before the fields may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

/** Resident memory now, at its highest, or of it the pages of programs and libraries, in MiB. */
export const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM' | 'RssFile'): number => {
  const [, kibibytes = ''] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
