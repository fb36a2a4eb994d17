export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Structured log lines with upstream's field names (`level`, `time`, `logger`, `message`). Object references are `{kind, namespace, name}`.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /**
   * Returns a logger for a component. Its lines contain `fields` and, as `component`, its name after the name of this logger.
   * (The written `logger` is always `controller`, because users filter on it. `docs/spec/events.md#logs`.)
   */
  child(name: string, fields?: LogFields): Logger
}
