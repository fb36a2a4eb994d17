import { textOfThrown } from '@kerf/runtime'

/** The meaning of a refusal, independent of the cloud and the service. */
export type FailureClass =
  | 'not-found'
  | 'already-exists'
  /** The call was a dry run, and the cloud would have allowed the real call. */
  | 'dry-run-succeeded'
  | 'unauthorized'
  /** The credentials are wrong or have expired, so every call fails. */
  | 'credentials'
  /** The account is not allowed to use the service: it has not signed up, is blocked, or is being verified. */
  | 'account'
  | 'rate-limited'
  /** The host name of the service cannot be resolved, because it does not exist or DNS fails on this machine. */
  | 'no-endpoint'
  /** The service has failed. A retry may help. */
  | 'server'
  | 'other'

export interface Failure {
  readonly class: FailureClass
  /** The error code of the service. */
  readonly code: string
  readonly message: string
  readonly requestId?: string
  /**
   * Whether the call certainly had no effect, because the service refused the first attempt. After a broken connection, an unreadable
   * response or a refused retry, it is unknown whether an attempt took effect.
   */
  readonly isRefusal: boolean
}

/** The information in an error of a cloud's client. */
export interface ThrownFacts {
  /** The names of the error, most specific first. The first one that is in the table of codes determines the class. */
  readonly codes: readonly string[]
  /** The HTTP status. Absent if there was no response. */
  readonly status?: number
  /** The number of attempts by the client. Default 1. */
  readonly attempts?: number
  readonly requestId?: string
}

/** Node's error code for a host name that cannot be resolved. */
const UNKNOWN_HOST = 'ENOTFOUND'

/** Returns a field of a thrown value, which may have any type. */
export const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Returns a field of a thrown value if it is a non-empty string. */
export const readTextField = (value: unknown, name: string): string | undefined => {
  const field = readField(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

const isUnknownHost = (thrown: unknown): boolean =>
  readTextField(thrown, 'code') === UNKNOWN_HOST || readTextField(readField(thrown, 'cause'), 'code') === UNKNOWN_HOST

/**
 * Returns a function that converts any value thrown by a call to a cloud into a failure. If there was no response (a lost connection, a
 * truncated response), the class is `server`. For a code that is not in the table, the class is `server` if it is a server error, and
 * `other` if it is a client error.
 *
 * @param classes the class of each error code. It takes precedence over the status, because throttling may have a 5xx status.
 * @param read returns the information in an error of the cloud's client.
 */
export const failureClassifier =
  (classes: ReadonlyMap<string, FailureClass>, read: (thrown: unknown) => ThrownFacts) =>
  (thrown: unknown): Failure => {
    const { codes, status, attempts = 1, requestId } = read(thrown)
    const known = codes.find((code) => classes.has(code))
    const isNowhere = known === undefined && isUnknownHost(thrown)
    const code = known ?? (isNowhere ? UNKNOWN_HOST : codes[0]) ?? 'Unknown'
    const found = classes.get(code) ?? (isNowhere ? 'no-endpoint' : undefined)
    const isClient = status !== undefined && status >= 400 && status < 500
    return {
      class: found ?? (isClient ? 'other' : 'server'),
      code,
      message: textOfThrown(thrown),
      isRefusal: (isClient || found === 'rate-limited') && attempts <= 1,
      ...(requestId === undefined ? {} : { requestId }),
    }
  }

/** The objects that a failure concerns, if the failed call was for several objects. */
export type Concern =
  /** All objects. The next call will fail as well. */
  | 'all'
  /** The service has failed. One of the objects may be the cause. If calls for other objects fail in the same way, the service is down. */
  | 'service'
  /** Some of the objects. */
  | 'some'

/** Returns which objects a failure of this class concerns. */
export const failureConcern = (failure: FailureClass): Concern => {
  switch (failure) {
    case 'rate-limited':
    case 'credentials':
    case 'account':
    case 'no-endpoint':
      return 'all'
    case 'server':
      return 'service'
    case 'not-found':
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'unauthorized':
    case 'other':
      return 'some'
  }
}
