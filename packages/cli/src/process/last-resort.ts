import { defineMetrics, type Logger, type Metrics } from '@kerf/runtime'

export const unforeseenErrorMetrics = defineMetrics({
  errors: {
    name: 'kerf_unforeseen_errors_total',
    type: 'counter',
    help: 'Unexpected errors after which Kerf continued. Each is a bug in Kerf: please report it.',
    labels: ['kind'],
  },
})

/**
 * Handles unexpected errors in a process that must keep running: logs each error, counts it in `kerf_unforeseen_errors_total`, and
 * continues. Every such error is a bug in Kerf, because expected failures are handled where they occur. Returns a function that restores
 * Node's own handling, which ends the process.
 */
export const lastResort = (logger: Logger, metrics?: Metrics): (() => void) => {
  const counter = metrics === undefined ? undefined : unforeseenErrorMetrics.register(metrics).errors
  const take = (kind: 'rejection' | 'exception', thrown: unknown): void => {
    counter?.inc({ kind })
    const error = thrown instanceof Error ? thrown : new Error(`threw a ${typeof thrown}`, { cause: thrown })
    logger.error('unexpected error, continuing; please report it', { kind, error })
  }
  const onRejection = (reason: unknown): void => take('rejection', reason)
  const onException = (error: unknown): void => take('exception', error)
  // Export the counters from the start, so that an alert can distinguish zero from no data.
  for (const kind of ['rejection', 'exception']) counter?.inc({ kind }, 0)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}
