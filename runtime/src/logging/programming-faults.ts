import type { LogFields } from './logger.ts'

const faults: Error[] = []

// What the language itself says of a value that is not what the code took it for (the messages are V8's).
const isProgrammingFault = (value: unknown): value is Error =>
  value instanceof ReferenceError ||
  (value instanceof TypeError &&
    /^Cannot (?:read|set) properties of|is not (?:a function|iterable|a constructor)/.test(value.message))

/**
 * Keeps the errors of a log line that are faults of the program. A controller that throws one is tried again until it
 * works, so that a test which looks at the outcome alone sees nothing of it; the test in which it happens fails all the
 * same (`test/setup/programming-faults.ts`).
 */
export const noteProgrammingFaults = (fields: LogFields): void => {
  for (const value of Object.values(fields)) if (isProgrammingFault(value)) faults.push(value)
}

/** The faults since the last call. */
export const takeProgrammingFaults = (): readonly Error[] => faults.splice(0)
