import { appendFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { VerbTools } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { silentLogger, silentMetrics } from '@kerf/runtime'
import { sdkLeftovers } from '../../api/leftovers.ts'
import { awsNetwork } from '../../api/network.ts'
import { sdkApi } from '../../api/sdk-api.ts'
import type { VerifyDeps } from './run-verify.ts'

const ATTEMPTS = 3

/** Calls `work`. If it fails to read or create the file, throws an error that names the flag. */
const named = <T>(flag: string, file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new UsageError(`${flag} ${file}: ${(error as Error).message}`)
  }
}

/** Returns the process's clock, files and terminal, and AWS clients of the SDK. */
export const verifyDeps = async (tools: VerbTools, signal: AbortSignal): Promise<VerifyDeps> => {
  const { clock, random } = await tools.system()
  const { version, confirm } = tools
  const network = awsNetwork(tools.streams.env)
  const options = (region: string) => ({
    ...{ region, maxAttempts: ATTEMPTS, version, clock, metrics: silentMetrics, network },
  })
  return {
    ...{ clock, random, log: silentLogger, signal, version },
    api: (region) => sdkApi(options(region)),
    leftovers: (region) => sdkLeftovers(options(region)),
    newRun: () => random.text(8, '0123456789abcdef'),
    readFile: async (file) => {
      try {
        return await readFile(file, 'utf8')
      } catch (error) {
        throw new UsageError(`--against-fake ${file}: ${(error as Error).message}`)
      }
    },
    openFile: (file) => {
      // With this mode, only the file's owner can read it.
      named('--transcript', file, () => writeFileSync(file, '', { mode: 0o600, flag: 'wx' }))
      return (text) => appendFileSync(file, text)
    },
    confirm: confirm === undefined ? undefined : (question) => confirm(question, signal),
  }
}
