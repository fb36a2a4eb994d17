import type { Clock } from '../clock.ts'
import type { Logger, LogLevel } from '../logger.ts'
import { consoleSink } from './console-sink.ts'
import { jsonSink } from './json-sink.ts'
import { StructuredLogger } from './structured-logger.ts'

export interface LoggerOptions {
  readonly clock: Clock
  /** `LOG_LEVEL`; empty is info. */
  readonly level: LogLevel | ''
  /** `LOG_OUTPUT_PATHS` */
  readonly paths: readonly string[]
  readonly format: 'auto' | 'json' | 'console'
  readonly commit?: string
  /** Where a console log goes and whether somebody looks at it there. */
  readonly terminal: { readonly isTTY?: boolean; write(text: string): unknown; hasColors?(): boolean }
}

/** The process's logger: JSON as upstream writes it, or lines for people where a person looks. */
export const createLogger = (options: LoggerOptions): Logger => {
  const { clock, commit = '', format, paths, terminal } = options
  const level = options.level === '' ? 'info' : options.level
  const debug = level === 'debug'
  const isConsole = format === 'console' || (format === 'auto' && terminal.isTTY === true)
  const sink = isConsole
    ? consoleSink({ write: (line) => terminal.write(line), colour: terminal.hasColors?.() ?? false, debug })
    : jsonSink({ paths, commit, debug })
  return StructuredLogger.create({ clock, level, sink })
}
