/** Returns 2 for a usage error and 1 for everything else. Usage errors and errors of the runtime's catalogue carry their exit code. */
export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
