/** As many faults are kept for a test to ask for; production never asks. */
const MOST = 20

const faults: Error[] = []

// What the language itself says of a value that is not what the code took it for (the messages are V8's).
const isProgrammingFault = (value: unknown): value is Error =>
  value instanceof ReferenceError ||
  (value instanceof TypeError &&
    /^Cannot (?:read|set) properties of|is not (?:a function|iterable|a constructor)/.test(value.message))

/** Notes an error that an object was set aside for, if it is a fault of the program. */
export const noteFault = (error: unknown): void => {
  if (isProgrammingFault(error) && faults.length < MOST) faults.push(error)
}

/** The faults since the last call: isolation keeps them from other objects, not from the tests. */
export const takeNotedFaults = (): readonly Error[] => faults.splice(0)
