import type { LogFields, Logger, LogLevel } from './logger.ts'
import { noteProgrammingFaults } from './programming-faults.ts'

export interface LogLine {
  readonly level: LogLevel
  readonly logger: string
  readonly message: string
  readonly fields: LogFields
}

/** Records lines for assertions in tests. Child loggers write into the same list. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[]
  readonly #name: string
  readonly #fields: LogFields

  constructor(name = 'controller', fields: LogFields = {}, lines: LogLine[] = []) {
    this.#name = name
    this.#fields = fields
    this.lines = lines
  }

  debug(message: string, fields?: LogFields): void {
    this.#record('debug', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#record('info', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#record('warn', message, fields)
  }

  error(message: string, fields?: LogFields): void {
    this.#record('error', message, fields)
  }

  child(name: string, fields: LogFields = {}): RecordingLogger {
    return new RecordingLogger(`${this.#name}.${name}`, { ...this.#fields, ...fields }, this.lines)
  }

  /** Returns the messages of one level, or of all levels. */
  messages(level?: LogLevel): string[] {
    return this.lines.filter((line) => level === undefined || line.level === level).map((line) => line.message)
  }

  #record(level: LogLevel, message: string, fields: LogFields = {}): void {
    noteProgrammingFaults(fields)
    this.lines.push({ level, logger: this.#name, message, fields: { ...this.#fields, ...fields } })
  }
}
