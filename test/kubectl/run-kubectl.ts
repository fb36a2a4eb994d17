import { spawn } from 'node:child_process'
import type { KubectlAnswer } from './session.ts'

/** Runs kubectl to its end. `edit` gets an editor that changes nothing. */
export const runKubectl = (
  path: string,
  kubeconfig: string,
  cacheDir: string,
  args: readonly string[],
  input = '',
): Promise<KubectlAnswer> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, ['--cache-dir', cacheDir, ...args], {
      env: { ...process.env, KUBECONFIG: kubeconfig, EDITOR: 'true', KUBE_EDITOR: 'true' },
      stdio: 'pipe',
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
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
