/** Returns the exit code that the error carries (usage errors and errors of the runtime's catalogue), or 1 if it carries none. */
export const errorExitCode = (error: unknown): 1 | 2 =>
  error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
