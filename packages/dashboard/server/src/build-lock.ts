import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * Waits until no other build runs in this clone, and locks it. Afterwards, the caller must check whether another `kerf` process has built
 * the dashboard while this one waited. Returns a function that releases the lock.
 */
export const buildLock = async (
  plugin: string,
  { progress, signal }: { progress(line: string): void; readonly signal?: AbortSignal },
): Promise<() => void> => {
  const file = join(plugin, '.build.lock')
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isAbandoned(file)) rmSync(file, { force: true })
    else {
      if (!waited) progress('waiting for another kerf process that builds the dashboard')
      await setTimeout(200, undefined, { signal })
    }
  }
}

/** Returns whether the process that holds the lock has ended. */
const isAbandoned = (file: string): boolean => {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
