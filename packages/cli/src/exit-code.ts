/** Returns the exit code of the error, or 1 if it has none. Usage errors and errors of the runtime's catalogue have an exit code. */
export const errorExitCode = (error: unknown): 1 | 2 =>
  error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
