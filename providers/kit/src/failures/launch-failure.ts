import { CreateError, findError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { UserDataError } from '../user-data/user-data-error.ts'

/**
 * Why a launch failed, for the Launched condition of a NodeClaim (`docs/spec/provider-contract.md`). The texts contain no ids, so that the
 * same cause always results in the same text.
 */
export interface LaunchFailure {
  readonly reason: string
  /** The cause, followed by a semicolon and the remedy. */
  readonly message: string
}

/** A pattern for the text of a cloud's error, and the corresponding failure. */
export type LaunchFailureEntry = readonly [
  matches: RegExp,
  reason: string,
  message: string | ((text: string) => string),
]

/** Returns a function that matches the text of an error against the entries. The first matching entry applies. */
export const launchFailures =
  (entries: readonly LaunchFailureEntry[], otherwise: LaunchFailure) =>
  (text: string): LaunchFailure => {
    for (const [matches, reason, message] of entries) {
      if (matches.test(text)) return { reason, message: typeof message === 'string' ? message : message(text) }
    }
    return otherwise
  }

/** The cloud's refusal of one launch request. */
export interface LaunchRefusal {
  /** The error code and message of the cloud. */
  readonly text: string
  /** Whether the cloud lacks capacity for this request. In this case, Kerf may launch another offering. */
  readonly isShort: boolean
}

/**
 * Returns the error of a launch that created no instance. If every attempt was refused because of a lack of capacity, it is an
 * InsufficientCapacityError: the NodeClaim is deleted, and its pods are scheduled again. Otherwise, Kerf retries the launch after the
 * error.
 *
 * @param call the name of the call to the cloud, for the log.
 */
export const launchError = (
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
 * Converts any value thrown by a step of a launch into one of the errors that determine what happens to the NodeClaim. An error that
 * already has one of these types is returned unchanged. Any other value becomes the cause of a `CreateError` whose reason and message come
 * from `failureOf`.
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
