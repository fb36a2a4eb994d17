import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { untilTrue } from './progress.ts'

const LAST_LINES = 15

/** Returns the path of a program's log in the folder. */
export const logPath = (directory: string, name: string): string => join(directory, `${name}.log`)

/** Returns the program's log so far. */
export const readLog = (directory: string, name: string): string => {
  try {
    return readFileSync(logPath(directory, name), 'utf8')
  } catch {
    return ''
  }
}

const logSizes = (directory: string): string =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.log'))
    .map((file) => `${file} ${statSync(join(directory, file)).size}`)
    .join('\n')

/**
 * Waits until a program is ready.
 * @throws Error with the last lines of the program's log if `failure` reports a failure, or if the programs of the folder stop logging
 */
export const untilReady = async (
  name: string,
  {
    directory,
    everyMs,
    isReady,
    failure,
  }: {
    readonly directory: string
    readonly everyMs: number
    readonly isReady: () => Promise<boolean>
    /** Returns a text about how the program ended or why it did not start. Returns undefined while it has not failed. */
    readonly failure: () => string | undefined
  },
): Promise<void> => {
  const tail = (): string => readLog(directory, name).trimEnd().split('\n').slice(-LAST_LINES).join('\n')
  const look = async (): Promise<boolean> => {
    if (await isReady().catch(() => false)) return true
    const failed = failure()
    if (failed !== undefined) throw new Error(`${failed}\n${tail()}`)
    return false
  }
  await untilTrue(look, {
    what: `${name} to be ready`,
    fingerprint: () => logSizes(directory),
    state: tail,
    everyMs,
  })
}
