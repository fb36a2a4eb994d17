import { type DestinationStream, destination } from 'pino'
import { runtimeErrors } from '../errors/runtime-errors.ts'

const openOne = (path: string): DestinationStream => {
  if (path === 'stdout') return destination({ fd: 1, sync: true })
  if (path === 'stderr') return destination({ fd: 2, sync: true })
  try {
    return destination({ dest: path, sync: true })
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw runtimeErrors.LogUnwritable({ path, cause }, { cause: error })
  }
}

/**
 * Opens `stdout`, `stderr` or files. Writes are synchronous, so that the last lines of a process are not lost. Throws
 * `LogUnwritable`.
 */
export const openLog = (paths: readonly string[]): DestinationStream => {
  const [first, ...others] = paths.map(openOne)
  if (first === undefined) return openOne('stdout')
  return others.length === 0 ? first : toEach([first, ...others])
}

/**
 * Returns a stream that writes each line to all streams, even if one of them fails. The first failure is thrown after all writes.
 */
const toEach = (streams: readonly DestinationStream[]): DestinationStream => ({
  write(line) {
    const failures: unknown[] = []
    for (const stream of streams) {
      try {
        stream.write(line)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  },
})
