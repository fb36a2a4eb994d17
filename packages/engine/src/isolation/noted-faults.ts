/** The maximum number of faults kept for tests. Production does not read them. */
const MOST = 20

const faults: Error[] = []

// Errors that V8 throws because of a bug in the code, recognized by their messages.
const isProgrammingFault = (value: unknown): value is Error =>
  value instanceof ReferenceError ||
  (value instanceof TypeError &&
    /^Cannot (?:read|set) properties of|is not (?:a function|iterable|a constructor)/.test(value.message))

/** Records an error for which an object was set aside, if the error indicates a bug in Kerf. */
export const noteFault = (error: unknown): void => {
  if (isProgrammingFault(error) && faults.length < MOST) faults.push(error)
}

/** Returns the faults since the last call, and clears the list. Isolation hides these faults from users, but tests must still fail. */
export const takeNotedFaults = (): readonly Error[] => faults.splice(0)
