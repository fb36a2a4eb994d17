import { shownServer } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { type RecordOptions, runRecord } from './run-record.ts'

/** Records the cluster of the kubeconfig until Ctrl-C. */
export const recordLive = async (path: string, options: RecordOptions, live: ClusterChoice): Promise<void> => {
  const { connection, client, clock, random } = connect(live)
  const { signal, dispose } = stopSignals()
  try {
    await runRecord(path, options, { client, clock, random, server: shownServer(connection.server) }, process, signal)
  } catch (error) {
    // Ctrl-C before there was anything to record.
    if (!signal.aborted) throw error
    process.stderr.write('stopped before the recording began; nothing was written\n')
    process.exitCode = 130
  } finally {
    await client.close()
    dispose()
  }
}
