/** The command line itself is wrong: exit code 2. The message is one line that names the flag and the remedy. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** The command was right and could not be done: exit code 1. The message is one line: what, which object, what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

/** One line for people; the stack only when debugging. */
export const describeError = (error: unknown, debug: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (debug) return error.stack ?? error.message
  const lines = error.message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** 2 for wrong usage, 1 for everything else. Errors of the runtime's catalogue of errors carry their own code. */
export const exitCodeOf = (error: unknown): 1 | 2 => {
  if (error instanceof UsageError) return 2
  return error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
}
