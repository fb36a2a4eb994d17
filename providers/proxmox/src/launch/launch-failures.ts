import { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import { NoResponseError } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { AddressTakenError, PoolFullError } from '../addresses/address-errors.ts'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'
import { MetadataOptionsError } from '../cloud-init/metadata-options-error.ts'
import { FailedTaskError } from '../failures/failed-task-error.ts'
import { type FailureKind, kindOfError } from '../failures/failure-kind.ts'
import { toStepCause } from '../failures/step-cause.ts'

/** Thrown if the launch must wait until Kerf can identify a guest that is being cloned. */
export class UnidentifiedGuestError extends Error {
  override readonly name = 'UnidentifiedGuestError'
}

/** The failures after which the launch may succeed on another hypervisor, or later on the same one. */
const ELSEWHERE: ReadonlySet<FailureKind> = new Set(['full', 'unreachable', 'not-found'])

/** Returns true if the launch may succeed on another hypervisor. A failed clone or start affects only its own hypervisor. */
export const canWorkElsewhere = (error: unknown): boolean =>
  error instanceof FailedTaskError ||
  error instanceof PoolFullError ||
  error instanceof AddressTakenError ||
  ELSEWHERE.has(kindOfError(error))

/** Status codes of a gateway that forwarded the request but received no response. */
const LOST: ReadonlySet<number> = new Set([502, 504, 596, 599])

/**
 * Returns true if it is unknown whether Proxmox has processed the request. Proxmox returns 500 both for requests that it refuses and for
 * failures during the work. Only a known message proves a refusal.
 */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof NoResponseError
    ? !error.fault.wasNeverSent
    : error instanceof ProxmoxApiError && (LOST.has(error.status) || kindOfError(error) === 'server')

/** Returns the error for a launch that failed on every hypervisor. */
export const noPlace = (claim: string, problems: readonly string[]): InsufficientCapacityError =>
  new InsufficientCapacityError(
    problems.length === 0
      ? `no hypervisor has room for nodeclaim ${claim}`
      : `no hypervisor could launch nodeclaim ${claim}: ${[...new Set(problems)].join('; ')}`,
  )

/** Returns the error for a launch whose failure affects every hypervisor or is temporary. */
export const launchFailure = (error: unknown): Error => {
  if (error instanceof CreateError || error instanceof UnidentifiedGuestError) return error
  if (error instanceof MetadataOptionsError)
    return new CreateError('MetadataOptionsInvalid', error.message, { cause: error })
  const { reason, message, isBrief = false } = toStepCause(error)
  return isBrief
    ? new CreateError('LaunchFailed', `the launch failed: ${textOfThrown(error)}; Kerf retries the launch`, {
        cause: error,
      })
    : new CreateError(reason, message, { cause: error })
}
