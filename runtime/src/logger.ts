export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/** Structured lines with upstream's field names (`level`, `time`, `logger`, `message`). Fields: object references as `{kind, namespace, name}`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger whose `logger` name is this one's plus `.name` and whose lines carry `fields`. */
  child(name: string, fields?: LogFields): Logger
}
