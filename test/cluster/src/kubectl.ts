import { dirname } from 'node:path'
import { type ProgramResult, runProgram } from './run-program.ts'

/** Runs a kubectl. Never rejects for a command that fails, only when there is no such program. */
export const runKubectl = (
  path: string,
  kubeconfig: string,
  args: readonly string[],
  input: string | undefined,
): Promise<ProgramResult> =>
  runProgram(path, args, { PATH: process.env['PATH'] ?? '', HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig }, input)
