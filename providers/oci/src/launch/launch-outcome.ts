import type { Milliseconds } from '@kerf/apis'
import { type Clock, type Logger, sleep, textOfThrown } from '@kerf/runtime'
import type { AcceptedLaunch, OciApi } from '../api/oci-api.ts'
import { type FailureKind, kindOfProblem } from '../failures/failure-kind.ts'

/** When Kerf asks for the result of a launch, after it was accepted. Placement is decided early in the launch. */
const ASK_AFTER: readonly Milliseconds[] = [0, 5_000, 10_000, 15_000]

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'CANCELED', 'CANCELING'])

/** Why a launch failed after it was accepted. */
export interface LateFailure {
  readonly kind: FailureKind
  readonly problem: string
}

export interface OutcomeDeps {
  readonly api: Pick<OciApi, 'workRequest' | 'workRequestErrors'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Returns why an accepted launch failed, or undefined if it has not failed within half a minute. A launch that is slower counts as started:
 * if it fails later, its instance ends, and the NodeClaim is deleted.
 */
export const lateFailure = async (
  { api, clock, log }: OutcomeDeps,
  { workRequestId, instance }: AcceptedLaunch,
  signal: AbortSignal,
): Promise<LateFailure | undefined> => {
  if (workRequestId === undefined || instance.lifecycleState === 'RUNNING') return undefined
  for (const wait of ASK_AFTER) {
    if (wait > 0) await sleep(clock, wait, signal)
    try {
      const { status } = await api.workRequest(workRequestId, signal)
      if (status === 'SUCCEEDED') return undefined
      if (FAILED.has(status)) return await readFailure(api, workRequestId, signal)
    } catch (error) {
      signal.throwIfAborted()
      // The launch was accepted, whether or not its progress can be read.
      log.debug('the progress of a launch is not known', { instance: instance.id, error: textOfThrown(error) })
      return undefined
    }
  }
  return undefined
}

const readFailure = async (api: OutcomeDeps['api'], id: string, signal: AbortSignal): Promise<LateFailure> => {
  const errors = await api.workRequestErrors(id, signal)
  const kinds = errors.map(({ code, message }) => kindOfProblem(code, message))
  const known = kinds.find((kind) => kind !== undefined)
  const problem = errors.map(({ message }) => message).join('; ') || `work request ${id} failed`
  return { kind: known ?? 'server', problem }
}
