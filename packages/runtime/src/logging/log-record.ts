import type { Milliseconds } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import { KerfError } from '../errors/define-errors.ts'
import { ApiError } from '../kube-client/api-error.ts'
import type { LogFields, LogLevel } from './logger.ts'

/** One log line before it is formatted. */
export interface LogRecord {
  readonly level: LogLevel
  readonly time: Milliseconds
  /** The names of the component and its parents, joined by dots. Empty for the root logger. */
  readonly component: string
  readonly message: string
  readonly fields: LogFields
}

const chain = (error: Error): string => {
  const messages = [error.message]
  for (let cause = error.cause; cause instanceof Error && messages.length < 5; cause = cause.cause) {
    // Many errors already contain the message of their cause.
    if (!messages.some((message) => message.includes(cause instanceof Error ? cause.message : ''))) {
      messages.push(cause.message)
    }
  }
  return messages.join(': ')
}

/** Returns the fields as they are written. Errors become messages and codes, with stacks only if requested. */
export const plainFields = (fields: LogFields, withStacks: boolean): Record<string, unknown> => {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (!(value instanceof Error)) {
      setOwnValue(plain, name, value)
      continue
    }
    setOwnValue(plain, name, chain(value))
    if (value instanceof KerfError) setOwnValue(plain, `${name}Code`, value.code)
    else if (value instanceof ApiError) setOwnValue(plain, `${name}Code`, value.reason)
    if (withStacks && value.stack !== undefined) setOwnValue(plain, `${name}Stack`, value.stack)
  }
  return plain
}
