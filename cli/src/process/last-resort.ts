import type { Logger, Metrics } from '@kerf/runtime'

/**
 * What a process that must not end does with errors that nothing in it foresaw: logs each, counts it in
 * `kerf_unforeseen_errors_total` and goes on. Each is a fault of Kerf's; what is known to fail is dealt with where it does.
 * Returns the way back to Node's own rule, which ends the process.
 */
export const lastResort = (logger: Logger, metrics?: Metrics): (() => void) => {
  const counter = metrics?.counter({
    name: 'kerf_unforeseen_errors_total',
    help: 'Errors that nothing in the process foresaw and that would have ended it. Each is a fault of Kerf to report.',
    labels: ['kind'],
  })
  const take = (kind: 'rejection' | 'exception', thrown: unknown): void => {
    counter?.inc({ kind })
    const error = thrown instanceof Error ? thrown : new Error(`threw a ${typeof thrown}`, { cause: thrown })
    logger.error('unforeseen error, going on; please report it', { kind, error })
  }
  const onRejection = (reason: unknown): void => take('rejection', reason)
  const onException = (error: unknown): void => take('exception', error)
  // Shown from the beginning, so that an alert on it can tell nothing from no data.
  for (const kind of ['rejection', 'exception']) counter?.inc({ kind }, 0)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}
