import type { Clock } from '../clock/clock.ts'
import type { LogRecord } from './log-record.ts'
import type { LogFields, Logger, LogLevel } from './logger.ts'
import { Sampler } from './sampler.ts'

export type LogSink = (record: LogRecord) => void

const RANK = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>

interface Shared {
  readonly clock: Clock
  readonly sink: LogSink
  readonly least: number
  readonly sampler: Sampler
  readonly onFailure: (error: unknown) => void
}

export interface StructuredLoggerOptions {
  readonly clock: Clock
  readonly level: LogLevel
  readonly sink: LogSink
  /** Called with errors of the sink, for example because of a full disk or a closed pipe. They are not thrown to the caller. */
  readonly onFailure?: (error: unknown) => void
}

/** Writes lines at or above a level to a sink, and samples repeated lines. */
export class StructuredLogger implements Logger {
  readonly #shared: Shared
  readonly #component: string
  readonly #fields: LogFields

  private constructor(shared: Shared, component: string, fields: LogFields) {
    this.#shared = shared
    this.#component = component
    this.#fields = fields
  }

  static create({ clock, level, sink, onFailure = () => {} }: StructuredLoggerOptions): StructuredLogger {
    return new StructuredLogger({ clock, sink, least: RANK[level], sampler: new Sampler(clock), onFailure }, '', {})
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields)
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields)
  }

  child(name: string, fields: LogFields = {}): Logger {
    const component = this.#component === '' ? name : `${this.#component}.${name}`
    return new StructuredLogger(this.#shared, component, { ...this.#fields, ...fields })
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    const { clock, least, onFailure, sampler, sink } = this.#shared
    if (RANK[level] < least || !sampler.admits(`${level} ${message}`)) return
    const record = {
      level,
      time: clock.now(),
      component: this.#component,
      message,
      fields: { ...this.#fields, ...fields },
    }
    try {
      sink(record)
    } catch (error) {
      onFailure(error)
    }
  }
}
