import type { Milliseconds } from '@kerf/apis'
import { type Clock, type Logger, sleep, textOfThrown } from '@kerf/runtime'
import type { AcceptedLaunch, OciApi } from '../api/oci-api.ts'
import { isOciNotFound } from '../api/oci-api-error.ts'
import type { OciInstance } from '../api/oci-shapes.ts'
import { type FailureKind, kindOfProblem } from '../failures/failure-kind.ts'

/** The waits between the checks of an accepted launch. Oracle Cloud finds out early whether a host has capacity. */
const ASK_AFTER: readonly Milliseconds[] = [0, 5_000, 10_000, 15_000]

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'CANCELED', 'CANCELING'])

/** The reason why a launch failed after Oracle Cloud had accepted it. */
export interface LateFailure {
  readonly kind: FailureKind
  readonly problem: string
}

export interface OutcomeDeps {
  readonly api: Pick<OciApi, 'workRequest' | 'workRequestErrors' | 'terminate'>
  readonly clock: Clock
  readonly log: Logger
}

/** The known outcome of an accepted launch: it failed, it is complete, or it continues. */
export type LaunchOutcome = LateFailure | 'complete' | 'continues'

/** Reads the progress of a launch's work request once. Returns `continues` if there is no response. */
export const readOutcome = async (
  { api, log }: Pick<OutcomeDeps, 'api' | 'log'>,
  workRequestId: string,
  signal: AbortSignal,
): Promise<LaunchOutcome> => {
  try {
    const { status } = await api.workRequest(workRequestId, signal)
    if (status === 'SUCCEEDED') return 'complete'
    return FAILED.has(status) ? await readFailure(api, workRequestId, signal) : 'continues'
  } catch (error) {
    signal.throwIfAborted()
    // Oracle Cloud deletes old work requests. After any other error, the next call reads the progress again.
    if (isOciNotFound(error)) return 'complete'
    log.debug('the progress of a launch cannot be read', { workRequestId, error: textOfThrown(error) })
    return 'continues'
  }
}

/**
 * Waits up to half a minute for the outcome of an accepted launch. A launch that takes longer counts as started, and `LaunchWatch` checks
 * its outcome later.
 */
export const awaitOutcome = async (
  deps: OutcomeDeps,
  { workRequestId, instance }: AcceptedLaunch,
  signal: AbortSignal,
): Promise<LaunchOutcome> => {
  if (workRequestId === undefined || instance.lifecycleState === 'RUNNING') return 'complete'
  for (const wait of ASK_AFTER) {
    if (wait > 0) await sleep(deps.clock, wait, signal)
    const outcome = await readOutcome(deps, workRequestId, signal)
    if (outcome !== 'continues') return outcome
  }
  return 'continues'
}

const readFailure = async (api: OutcomeDeps['api'], id: string, signal: AbortSignal): Promise<LateFailure> => {
  const errors = await api.workRequestErrors(id, signal)
  const kinds = errors.map(({ code, message }) => kindOfProblem(code, message))
  const known = kinds.find((kind) => kind !== undefined)
  const problem = errors.map(({ message }) => message).join('; ') || `work request ${id} failed`
  return { kind: known ?? 'server', problem }
}

/**
 * Terminates the instance of a failed launch. Only logs a failure of the call, because Oracle Cloud also terminates such instances and
 * garbage collection tries again.
 */
export const discardInstance = async (
  { api, log }: Pick<OutcomeDeps, 'api' | 'log'>,
  { id }: OciInstance,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await api.terminate(id, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isOciNotFound(error))
      log.info('the instance of a failed launch is not terminated yet', { id, error: textOfThrown(error) })
  }
}
