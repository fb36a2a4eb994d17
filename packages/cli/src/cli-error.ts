/** An error in the command line: exit code 2. The message is one line that names the flag and the remedy. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** A valid command that failed: exit code 1. The message is one line that says what failed, for which object, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

/** Returns the error as one line for people, with the stack only if debugging. */
export const describeError = (error: unknown, debug: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (debug) return error.stack ?? error.message
  const lines = error.message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Returns 2 for a usage error and 1 for everything else. Errors of the runtime's error catalogue carry their own code. */
export const exitCodeOf = (error: unknown): 1 | 2 => {
  if (error instanceof UsageError) return 2
  return error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
}
