import { randomBytes } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { networkOf, sdkApi, sdkLeftovers } from '@kerf/provider-aws'
import { UsageError } from '@kerf/provider-kit/command-line'
import { SystemClock, SystemRandom, silentLogger, silentMetrics } from '@kerf/runtime'
import type { VerifyWorld } from './run-verify.ts'

const ATTEMPTS = 3

/** Converts an error of a file that cannot be read or created into an error that names the flag. */
const named = <T>(flag: string, file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new UsageError(`${flag} ${file}: ${(error as Error).message}`)
  }
}

/** Returns the process's clock, files and terminal, and AWS clients of the SDK. */
export const verifyWorld = (
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  signal: AbortSignal,
): VerifyWorld => {
  const clock = new SystemClock()
  const options = (region: string) => ({
    ...{ region, maxAttempts: ATTEMPTS, version, clock, metrics: silentMetrics, network: networkOf(env) },
  })
  return {
    clock,
    random: new SystemRandom(),
    log: silentLogger,
    api: (region) => sdkApi(options(region)),
    leftovers: (region) => sdkLeftovers(options(region)),
    newRun: () => randomBytes(4).toString('hex'),
    readFile: async (file) => {
      try {
        return await readFile(file, 'utf8')
      } catch (error) {
        throw new UsageError(`--against-fake ${file}: ${(error as Error).message}`)
      }
    },
    openFile: (file) => {
      // Only the owner may read the file until the owner shares it.
      named('--transcript', file, () => writeFileSync(file, '', { mode: 0o600, flag: 'wx' }))
      return (text) => appendFileSync(file, text)
    },
    confirm:
      process.stdin.isTTY === true
        ? async (question) => {
            const terminal = createInterface({ input: process.stdin, output: process.stdout })
            try {
              return (await terminal.question(question, { signal })).trim() === 'yes'
            } catch {
              return false
            } finally {
              terminal.close()
            }
          }
        : undefined,
    signal,
    version,
  }
}
