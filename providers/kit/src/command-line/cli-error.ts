/** An error in the command line: exit code 2. The message is one line that names the flag and the remedy. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  readonly exitCode = 2
}

/** A valid command that failed: exit code 1. The message is one line that says what failed, for which object, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
