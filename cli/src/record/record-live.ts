import { findConnection, HttpKubeClient, SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import type { LiveOptions } from '../plan/read-live-cluster.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { type RecordOptions, runRecord } from './run-record.ts'

/** Records the cluster of the kubeconfig until Ctrl-C. */
export const recordLive = async (path: string, options: RecordOptions, live: LiveOptions): Promise<void> => {
  const clock = new SystemClock()
  const random = new SystemRandom()
  const connection = findConnection({ clock, ...live })
  const client = new HttpKubeClient({ connection, clock, random, logger: silentLogger, env: live.env })
  const { signal, dispose } = stopSignals()
  try {
    await runRecord(path, options, { client, clock, random, server: connection.server }, process, signal)
  } catch (error) {
    // Ctrl-C before there was anything to record.
    if (!signal.aborted) throw error
    process.stderr.write('stopped before the recording began; nothing was written\n')
    process.exitCode = 130
  } finally {
    dispose()
    await client.close()
  }
}
