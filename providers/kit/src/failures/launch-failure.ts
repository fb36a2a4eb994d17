import { CreateError, findError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { UserDataError } from '../user-data/user-data-error.ts'

/**
 * Why a launch failed, for the Launched condition of a NodeClaim (`docs/spec/provider-contract.md`). Contains no ids, so that the
 * same cause has the same text.
 */
export interface LaunchFailure {
  readonly reason: string
  /** The cause, followed by a semicolon and what to do. */
  readonly message: string
}

/** A pattern for the text of a cloud's error, and the failure that it means. */
export type LaunchFailureEntry = readonly [
  matches: RegExp,
  reason: string,
  message: string | ((text: string) => string),
]

/** Returns the function that turns the text of an error into the failure of the first matching entry. */
export const launchFailures =
  (entries: readonly LaunchFailureEntry[], otherwise: LaunchFailure) =>
  (text: string): LaunchFailure => {
    for (const [matches, reason, message] of entries) {
      if (matches.test(text)) return { reason, message: typeof message === 'string' ? message : message(text) }
    }
    return otherwise
  }

/** One refusal of a launch by the cloud. */
export interface LaunchRefusal {
  /** The cloud's error code and message. */
  readonly text: string
  /** Whether the cloud lacks capacity for this request, so that another offering may be launched instead. */
  readonly isShort: boolean
}

/**
 * Returns the error of a launch that created no instance. If every attempt was refused for lack of capacity, it is insufficient
 * capacity: the NodeClaim is deleted and the pods are scheduled again. Otherwise it is a failure that is retried.
 *
 * @param call the name of the call to the cloud, for the log.
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
  return new CreateError(reason, message, {
    cause: new Error(`${call}: ${details || 'neither an instance nor an error was returned'}`),
  })
}

/**
 * Turns any value that a step of a launch threw into one of the errors that decide what happens to the NodeClaim. Errors that
 * already have such a type are kept. Any other value becomes the cause of a `CreateError`, named by `failureOf`.
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
