import { once } from 'node:events'
import { type DashboardCluster, DashboardServer } from '@kerf/dashboard'
import type { Output } from '@kerf/provider-contract'
import { createLogger, isForbidden, SystemClock } from '@kerf/runtime'
import { connect } from '../cluster/connect.ts'
import { lastResort } from '../process/last-resort.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { dashboardFiles } from './dashboard-files.ts'

/** The options of `kerf dashboard`. */
export interface DashboardVerbOptions {
  readonly kubeconfig?: string
  /** The kubeconfig contexts to show. If the list is empty, the current context is used. */
  readonly context: readonly string[]
  readonly port: number
  readonly address: string
}

interface Streams {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Runs `kerf dashboard` until a signal arrives and returns exit code 0. First, it requests the version of every cluster. So a wrong address
 * or an expired login causes an error here instead of a blank page. Throws the errors of `findConnection`, `dashboardFiles` and
 * `DashboardServer.start`.
 */
export const runDashboard = async (options: DashboardVerbOptions, streams: Streams): Promise<number> => {
  const { stdout, stderr, env } = streams
  const stop = stopSignals()
  const clock = new SystemClock()
  const logger = createLogger({
    clock,
    level: 'info',
    paths: ['stderr'],
    format: 'console',
    terminal: stderr,
  })
  const rest = lastResort(logger)
  try {
    const clusters = await findClusters(options, env)
    const files = await dashboardFiles({ progress: (line) => stderr.write(`${line} …\n`), signal: stop.signal })
    const server = await DashboardServer.start({
      files,
      clusters,
      port: options.port,
      address: options.address,
      clock,
      logger,
    })
    if (!['127.0.0.1', '::1', 'localhost'].includes(options.address))
      stderr.write(`kerf: anyone who can reach ${options.address} and knows the URL below can act as you\n`)
    stdout.write(`Dashboard: ${server.url}\n`)
    stderr.write('Ctrl-C stops it.\n')
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    await server.close()
    return 0
  } catch (error) {
    if (stop.signal.aborted) return 0
    throw error
  } finally {
    stop.dispose()
    rest()
  }
}

const findClusters = async (
  { kubeconfig, context }: DashboardVerbOptions,
  env: Streams['env'],
): Promise<readonly DashboardCluster[]> => {
  const contexts: readonly (string | undefined)[] = context.length === 0 ? [undefined] : context
  const clusters: DashboardCluster[] = []
  for (const wanted of contexts) {
    const { connection, client } = connect({ env, kubeconfig, context: wanted })
    try {
      await client.raw('/version')
      // Anonymous users may read the version. Only this second request shows whether the server accepts the credentials.
      await client.raw('/api').catch((error: unknown) => {
        if (!isForbidden(error)) throw error
      })
    } finally {
      await client.close()
    }
    clusters.push({ name: wanted ?? 'cluster', connection })
  }
  return clusters
}
