import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

export interface KubectlResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a kubectl. Never rejects for a command that fails, only when there is no such program. */
export const runKubectl = (
  path: string,
  kubeconfig: string,
  args: readonly string[],
  input: string | undefined,
): Promise<KubectlResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, [...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
