export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Writes structured log lines with upstream's field names (`level`, `time`, `logger`, `message`). References to objects have the
 * form `{kind, namespace, name}`.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /**
   * Returns a logger for a component. Its lines contain `fields`, and in `component` the names of this logger and of the component.
   * The written `logger` is always `controller`, because users filter by it (`docs/spec/events.md#logs`).
   */
  child(name: string, fields?: LogFields): Logger
}
