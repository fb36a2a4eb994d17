import type { LogFields } from './logger.ts'

const faults: Error[] = []

// Returns whether this is an error that JavaScript throws for unexpected values. The messages are those of V8.
const isProgrammingFault = (value: unknown): value is Error =>
  value instanceof ReferenceError ||
  (value instanceof TypeError &&
    /^Cannot (?:read|set) properties of|is not (?:a function|iterable|a constructor)/.test(value.message))

/**
 * Collects those errors of a log line that are programming errors. A controller that throws such an error is retried until it
 * works, so a test that checks only the result would not notice. `tests/support/setup/programming-faults.ts` makes the test fail.
 */
export const noteProgrammingFaults = (fields: LogFields): void => {
  for (const value of Object.values(fields)) if (isProgrammingFault(value)) faults.push(value)
}

/** Returns the programming errors since the last call. */
export const takeProgrammingFaults = (): readonly Error[] => faults.splice(0)
