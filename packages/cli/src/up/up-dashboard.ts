import type { LocalController } from '@kerf/dashboard'
import { type Logger, SystemClock } from '@kerf/runtime'

export interface UpDashboardOptions {
  /** The kubeconfig of the cluster that `up` opened. */
  readonly kubeconfig: string
  readonly context?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The Kerf controller in this process. */
  readonly controller: LocalController
  readonly logger: Logger
  /** Shows a line about the progress: the build, the address, or why there is no dashboard. Each line replaces the previous one. */
  note(line: string): void
}

/**
 * The dashboard of `kerf up`. It is built while the cluster is already running, because the first build takes minutes. If the build
 * fails, a note says so and `up` continues.
 */
export class UpDashboard {
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(options: UpDashboardOptions) {
    this.#running = this.#run(options)
  }

  async #run({ kubeconfig, context, env, controller, logger, note }: UpDashboardOptions): Promise<void> {
    const { signal } = this.#stop
    try {
      const { dashboardFiles } = await import('../dashboard/dashboard-files.ts')
      const { DashboardServer } = await import('@kerf/dashboard')
      const { findConnection } = await import('@kerf/runtime')
      const files = await dashboardFiles({ progress: (line) => note(`Dashboard: ${line} …`), signal })
      if (signal.aborted) return
      const clock = new SystemClock()
      const connection = findConnection({
        clock,
        env,
        kubeconfig,
        ...(context === undefined ? {} : { context }),
      })
      const server = await DashboardServer.start({
        files,
        clusters: [{ name: 'kerf', connection, controller }],
        clock,
        logger,
      })
      signal.addEventListener('abort', () => void server.close(), { once: true })
      note(`Dashboard: ${server.url}`)
    } catch (error) {
      if (!signal.aborted) note(`No dashboard: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Stops the server, or the build if it is not complete. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
