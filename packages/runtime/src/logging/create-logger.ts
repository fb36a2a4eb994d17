import type { Clock } from '../clock/clock.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import { consoleSink } from './console-sink.ts'
import { jsonSink } from './json-sink.ts'
import { openLog } from './log-destination.ts'
import type { Logger, LogLevel } from './logger.ts'
import { StructuredLogger } from './structured-logger.ts'

export interface LoggerOptions {
  readonly clock: Clock
  /** The value of `LOG_LEVEL`. An empty string means info. */
  readonly level: LogLevel | ''
  /** The value of `LOG_OUTPUT_PATHS`. */
  readonly paths: readonly string[]
  /** The value of `LOG_ERROR_OUTPUT_PATHS`: where the logger writes its own errors. Default stderr. */
  readonly errorPaths?: readonly string[]
  readonly format: 'auto' | 'json' | 'console'
  readonly commit?: string
  /** The stream for human-readable lines, and whether it is a terminal. */
  readonly terminal: { readonly isTTY?: boolean; write(text: string): unknown; hasColors?(): boolean }
}

/**
 * The rate at which the logger writes its own errors. They tend to occur for every line, so they are written at most once a minute.
 */
const COMPLAINTS: Rate = { qps: 1 / 60, burst: 1 }

/**
 * Returns the logger of the process. It writes JSON in upstream's format, or human-readable lines if the output is a terminal. Throws
 * `LogUnwritable` if a file cannot be opened.
 */
export const createLogger = (options: LoggerOptions): Logger => {
  const { clock, commit = '', format, paths, terminal } = options
  const level = options.level === '' ? 'info' : options.level
  const debug = level === 'debug'
  const isWatched = terminal.isTTY === true && paths.join() === 'stdout'
  const sink =
    format === 'console' || (format === 'auto' && isWatched)
      ? consoleSink({ write: (line) => terminal.write(line), colour: terminal.hasColors?.() ?? false, debug })
      : jsonSink({ stream: openLog(paths), commit, debug })
  const errors = openLog(options.errorPaths ?? ['stderr'])
  const complaints = new TokenBucket(clock, COMPLAINTS)
  const onFailure = (error: unknown): void => {
    if (!complaints.tryTake()) return
    errors.write(`cannot write the log: ${error instanceof Error ? error.message : String(error)}\n`)
  }
  return StructuredLogger.create({ clock, level, sink, onFailure })
}
