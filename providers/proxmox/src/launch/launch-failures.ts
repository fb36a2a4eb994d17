import { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import { NoResponseError } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'
import { type FailureKind, kindOfError, kindOfText } from '../failures/failure-kind.ts'
import { toStepCause } from '../failures/step-cause.ts'

/** A task of a launch that failed. */
export class FailedTaskError extends Error {
  override readonly name = 'FailedTaskError'
  readonly kind: FailureKind

  constructor(step: string, exitStatus: string) {
    super(`${step} failed: ${exitStatus}`)
    this.kind = kindOfText(exitStatus)
  }
}

/** A launch is pending: what this process does not know yet becomes known soon. */
export class UnidentifiedGuestError extends Error {
  override readonly name = 'UnidentifiedGuestError'
}

/** The kinds of failures after which another place, or the same one later, can work. */
const ELSEWHERE: ReadonlySet<FailureKind> = new Set(['full', 'unreachable', 'not-found'])

/** Returns true if another place can work. A failed clone or a failed start concerns only its hypervisor. */
export const canWorkElsewhere = (error: unknown): boolean =>
  error instanceof FailedTaskError || ELSEWHERE.has(kindOfError(error))

/** Statuses of a gateway that has sent the request on and got no answer. */
const LOST: ReadonlySet<number> = new Set([502, 504, 596, 599])

/**
 * Returns true if it is unknown whether Proxmox has processed the request. Proxmox answers 500 to refusals, and also when it fails after it has
 * begun the work. Only a known text is certainly a refusal.
 */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof NoResponseError
    ? !error.fault.wasNeverSent
    : error instanceof ProxmoxApiError && (LOST.has(error.status) || kindOfError(error) === 'server')

/** Returns the error of a launch for which no place worked. */
export const noPlace = (claim: string, problems: readonly string[]): InsufficientCapacityError =>
  new InsufficientCapacityError(
    problems.length === 0
      ? `no hypervisor has room for nodeclaim ${claim}`
      : `no hypervisor could launch nodeclaim ${claim}: ${[...new Set(problems)].join('; ')}`,
  )

/** Returns the error of a launch that failed for a reason that concerns every place, or that ends by itself. */
export const launchFailure = (error: unknown): Error => {
  if (error instanceof CreateError || error instanceof UnidentifiedGuestError) return error
  const { reason, message, isBrief = false } = toStepCause(error)
  return isBrief
    ? new CreateError('LaunchFailed', `the launch failed: ${textOfThrown(error)}; Kerf repeats it`, { cause: error })
    : new CreateError(reason, message, { cause: error })
}
