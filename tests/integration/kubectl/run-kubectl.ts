import { runProgram } from '@kerf/control-plane'
import type { KubectlResult } from './session.ts'

/** Runs kubectl to its end. `kubectl edit` gets an editor that changes nothing. */
export const runKubectl = (
  path: string,
  kubeconfig: string,
  cacheDir: string,
  args: readonly string[],
  input = '',
): Promise<KubectlResult> =>
  runProgram(
    path,
    ['--cache-dir', cacheDir, ...args],
    { ...process.env, KUBECONFIG: kubeconfig, EDITOR: 'true', KUBE_EDITOR: 'true' },
    input,
  )
