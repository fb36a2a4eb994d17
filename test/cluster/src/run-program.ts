import { spawn } from 'node:child_process'

/** What a program came to. */
export interface ProgramResult {
  /** 1 also for one that a signal ended. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, with this environment alone. Never rejects for one that fails, only when there is none. */
export const runProgram = (
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, [...args], { env, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
