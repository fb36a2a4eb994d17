import { untilPasses, type WaitClock } from './progress.ts'
import type { ProgramResult } from './run-program.ts'

/** Runs kubectl. If the command fails, it either rejects or resolves with a code other than 0. */
type Kubectl = (args: readonly string[]) => Promise<unknown>

/**
 * Resolves when every CRD of the cluster is established. Repeats `kubectl wait`, which fails instead of waiting while the status of a new
 * CRD still has `conditions: null` (".status.conditions accessor error: <nil>"). Rejects after the usual limit without progress.
 */
export const untilCrdsEstablished = (kubectl: Kubectl, clock?: WaitClock): Promise<void> =>
  untilPasses(
    async () => {
      const result = (await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=10s'])) as
        | Partial<ProgramResult>
        | string
        | undefined
      if (typeof result === 'object' && result.code !== 0) throw new Error(result.stderr)
    },
    { what: 'every CRD to be established' },
    clock,
  )
