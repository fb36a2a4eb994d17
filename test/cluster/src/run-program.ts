import { startProgram } from './start-program.ts'

/** What a program came to. */
export interface ProgramResult {
  /** 1 also for one that a signal ended. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, with this environment alone. Never rejects for one that fails, only when there is none. */
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
