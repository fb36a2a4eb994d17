import { dirname } from 'node:path'
import { type ProgramResult, runProgram } from './run-program.ts'

/** Runs kubectl. Resolves even if the command fails. Rejects only if kubectl does not exist. */
export const runKubectl = (
  path: string,
  kubeconfig: string,
  args: readonly string[],
  input: string | undefined,
): Promise<ProgramResult> =>
  runProgram(path, args, { PATH: process.env['PATH'] ?? '', HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig }, input)
