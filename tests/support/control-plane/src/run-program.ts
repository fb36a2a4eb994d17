import { startProgram } from './start-program.ts'

/** The result of a program. */
export interface ProgramResult {
  /** The exit code, or 1 if a signal ended the program. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program to its end. The program gets only the variables in `env`. Resolves even if it fails. Rejects only if it does not exist.
 */
export const runProgram = async (
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<ProgramResult> => {
  const { code, stdout, stderr } = await startProgram(path, args, { env, ...(input === undefined ? {} : { input }) })
    .ended
  return { code: code ?? 1, stdout, stderr }
}
