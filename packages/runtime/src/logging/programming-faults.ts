import type { LogFields } from './logger.ts'

const faults: Error[] = []

// Errors that the language throws for unexpected values (the messages are V8's).
const isProgrammingFault = (value: unknown): value is Error =>
  value instanceof ReferenceError ||
  (value instanceof TypeError &&
    /^Cannot (?:read|set) properties of|is not (?:a function|iterable|a constructor)/.test(value.message))

/**
 * Collects the errors of a log line that are programming faults. A controller that throws one is retried until it
 * works, so a test that checks only the result would not notice. `tests/support/setup/programming-faults.ts` makes the test fail.
 */
export const noteProgrammingFaults = (fields: LogFields): void => {
  for (const value of Object.values(fields)) if (isProgrammingFault(value)) faults.push(value)
}

/** Returns the faults since the last call. */
export const takeProgrammingFaults = (): readonly Error[] => faults.splice(0)
