import { CreateError, findError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { UserDataError } from '../user-data/user-data-error.ts'

/**
 * Why a launch failed, for the Launched condition of a NodeClaim (`docs/spec/provider-contract.md`). Carries no id, so
 * that equal causes are equal text.
 */
export interface LaunchFailure {
  readonly reason: string
  /** The cause, and after a semicolon what to do. */
  readonly message: string
}

/** What the text of a cloud's error looks like, and the failure that it is. */
export type LaunchFailureEntry = readonly [
  matches: RegExp,
  reason: string,
  message: string | ((text: string) => string),
]

/** Makes the function that turns the text of an error into a failure: that of the first entry that matches. */
export const launchFailures =
  (entries: readonly LaunchFailureEntry[], otherwise: LaunchFailure) =>
  (text: string): LaunchFailure => {
    for (const [matches, reason, message] of entries) {
      if (matches.test(text)) return { reason, message: typeof message === 'string' ? message : message(text) }
    }
    return otherwise
  }

/** One answer of a cloud to a launch that it did not do. */
export interface LaunchRefusal {
  /** What the cloud says, its code first. */
  readonly text: string
  /** Whether the cloud is out of what was asked for, so that something else may be launched instead. */
  readonly isShort: boolean
}

/**
 * What a launch without an instance comes to: insufficient capacity when everything that was tried is short, so that the
 * NodeClaim is given up and the pods are planned anew; otherwise a failure that is tried again.
 *
 * @param call the call to the cloud, for the log.
 */
export const launchErrorOf = (
  refusals: readonly LaunchRefusal[],
  call: string,
  failureOf: (text: string) => LaunchFailure,
): CreateError | InsufficientCapacityError => {
  const details = [...new Set(refusals.map(({ text }) => text))].join('; ')
  const decisive = refusals.find(({ isShort }) => !isShort)
  if (refusals.length > 0 && decisive === undefined) return new InsufficientCapacityError(details)
  const { reason, message } = failureOf(decisive?.text ?? '')
  return new CreateError(reason, message, { cause: new Error(`${call}: ${details || 'no instance and no error'}`) })
}

/**
 * Turns whatever a step of a launch threw into one of the errors that decide what happens to the NodeClaim: one that the
 * step has thrown itself, or a `CreateError` with what the failure is called.
 */
export const createErrorFrom = (thrown: unknown, failureOf: (thrown: unknown) => LaunchFailure): Error => {
  for (const type of [CreateError, InsufficientCapacityError, NodeClassNotReadyError]) {
    const known = findError<Error>(thrown, type)
    if (known !== undefined) return known
  }
  if (thrown instanceof UserDataError) return new CreateError('UserDataInvalid', thrown.message, { cause: thrown })
  const { reason, message } = failureOf(thrown)
  return new CreateError(reason, message, { cause: thrown })
}
