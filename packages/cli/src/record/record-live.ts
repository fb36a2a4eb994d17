import { shownServer } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import { type RecordOptions, runRecord } from './run-record.ts'

/** Records the cluster of the current kubectl context until Ctrl-C. */
export const recordLive = async (path: string, options: RecordOptions, live: ClusterChoice): Promise<void> => {
  const { connection, client, clock, random } = connect(live)
  const { signal, dispose } = stopSignals()
  const cluster = { client, clock, random, server: shownServer(connection.server) }
  try {
    await runRecord(path, options, cluster, standardStreams(), signal)
  } catch (error) {
    // Ctrl-C was pressed before the recording began.
    if (!signal.aborted) throw error
    process.stderr.write('stopped before the recording started; nothing was written\n')
    process.exitCode = 130
  } finally {
    await client.close()
    dispose()
  }
}
