import { type DestinationStream, type Logger as Pino, pino } from 'pino'
import { type LogRecord, plainFields } from './log-record.ts'
import type { LogLevel } from './logger.ts'
import type { LogSink } from './structured-logger.ts'

export interface JsonSinkOptions {
  /** The destination of the lines, created by `openLog`. */
  readonly stream: DestinationStream
  /** The commit of the build, for the key `commit`. */
  readonly commit: string
  /** Whether the level is debug. If so, lines contain the caller of each record and the stacks of errors. */
  readonly debug: boolean
}

/** Returns the first stack frame outside of the logger. */
const callerOf = (): string | undefined => {
  const frames = new Error().stack?.split('\n').slice(1) ?? []
  const frame = frames.find((each) => !each.includes('/logging/') && !each.includes('node:internal'))
  return frame?.match(/([^/(]+\/[^/)]+:\d+):\d+\)?$/)?.[1]
}

/** Writes JSON lines with the same keys as upstream (`docs/spec/events.md#logs`). */
export const jsonSink = (options: JsonSinkOptions): LogSink => {
  const { commit, debug } = options
  const lines: Pino = pino(
    {
      base: null,
      level: 'debug',
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
      timestamp: false,
    },
    options.stream,
  )
  const write: Readonly<Record<LogLevel, (fields: object, message: string) => void>> = {
    debug: (fields, message) => lines.debug(fields, message),
    info: (fields, message) => lines.info(fields, message),
    warn: (fields, message) => lines.warn(fields, message),
    error: (fields, message) => lines.error(fields, message),
  }
  return (record: LogRecord) => {
    const caller = debug ? callerOf() : undefined
    const fields = {
      time: new Date(record.time).toISOString(),
      logger: 'controller',
      ...(caller !== undefined && { caller }),
      ...(record.component !== '' && { component: record.component }),
      ...(commit !== '' && { commit }),
      ...plainFields(record.fields, debug),
    }
    write[record.level](fields, record.message)
  }
}
