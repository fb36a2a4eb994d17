export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/** Structured lines with upstream's field names (`level`, `time`, `logger`, `message`). Fields: object references as `{kind, namespace, name}`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /**
   * A logger for a part of the process, whose lines carry `fields` and, as `component`, its name after this one's.
   * (`logger` itself is always `controller` on the wire: people filter on it. `docs/spec/events.md#logs`.)
   */
  child(name: string, fields?: LogFields): Logger
}
