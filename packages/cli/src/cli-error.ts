/** Returns the error as one line for people, with the stack only if debugging. */
export const describeError = (error: unknown, debug: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (debug) return error.stack ?? error.message
  const lines = error.message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Returns 2 for a usage error and 1 for everything else. Usage errors and errors of the runtime's catalogue carry their exit code. */
export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
