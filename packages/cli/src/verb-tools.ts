import { createInterface } from 'node:readline/promises'
import type { VerbTools } from '@kerf/provider-contract'
import { buildInfo } from './build-info.ts'
import { stopSignals } from './process/stop-signals.ts'
import { standardStreams } from './terminal/standard-streams.ts'

const confirm = async (question: string, signal: AbortSignal): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question, { signal })).trim() === 'yes'
  } catch {
    return false
  } finally {
    terminal.close()
  }
}

/** Returns the functions and values that the command line passes to the commands of providers. */
export const verbTools = (): VerbTools => ({
  streams: standardStreams(),
  version: buildInfo(process.env).version,
  system: async () => {
    const { SystemClock, SystemRandom } = await import('@kerf/runtime')
    return { clock: new SystemClock(), random: new SystemRandom() }
  },
  connect: async (choice) => {
    const { connect } = await import('./cluster/connect.ts')
    const { client, connection } = connect({ env: process.env, ...choice })
    return { client, address: connection.server, close: () => client.close() }
  },
  stopSignals,
  confirm: process.stdin.isTTY === true ? confirm : undefined,
  setExitCode: (code) => {
    process.exitCode = code
  },
})
