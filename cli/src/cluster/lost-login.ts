import { ApiError, type LogFields, type Logger } from '@kerf/runtime'

const ignore = (): void => {}

/**
 * Returns a logger for informers that shows nothing, and calls `onLost` with the error once the API server keeps refusing the
 * credentials: a login that ended while a verb follows the cluster. Informers would try again for as long as the verb runs.
 */
export const lostLoginLogger = (onLost: (error: ApiError) => void): Logger => {
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    // Informers report at this level only what has failed several times.
    error: (_message, fields: LogFields = {}) => {
      const { error } = fields
      if (error instanceof ApiError && error.code === 401) onLost(error)
    },
    child: () => logger,
  }
  return logger
}
