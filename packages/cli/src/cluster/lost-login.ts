import { ApiError, type LogFields, type Logger } from '@kerf/runtime'

const ignore = (): void => {}

/**
 * Returns a logger for informers that logs nothing. If the API server keeps refusing the credentials, for example because they expired
 * while a command watches the cluster, the logger calls `onLost` with the error. Informers alone would retry for as long as the command
 * runs.
 */
export const lostLoginLogger = (onLost: (error: ApiError) => void): Logger => {
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    // Informers log at the error level only after several failures.
    error: (_message, fields: LogFields = {}) => {
      const { error } = fields
      if (error instanceof ApiError && error.code === 401) onLost(error)
    },
    child: () => logger,
  }
  return logger
}
