import { textOfThrown } from '@kerf/runtime'

/** What a refusal means, independent of the cloud and the service. */
export type FailureClass =
  | 'not-found'
  | 'already-exists'
  /** A dry run that would have been allowed. */
  | 'dry-run-succeeded'
  | 'unauthorized'
  /** The credentials are wrong or have expired. Every call will fail. */
  | 'credentials'
  /** The account may not use the service: it has not signed up, is blocked, or is under verification. */
  | 'account'
  | 'rate-limited'
  /** The host name of the service cannot be resolved, because it does not exist or DNS fails here. */
  | 'no-endpoint'
  /** An error of the service. A retry may help. */
  | 'server'
  | 'other'

export interface Failure {
  readonly class: FailureClass
  /** The error code of the service. */
  readonly code: string
  readonly message: string
  readonly requestId?: string
  /**
   * Whether the call certainly changed nothing, because the service refused it at the first attempt. After a broken connection,
   * an unreadable answer or a refused retry, it is unknown whether an attempt took effect.
   */
  readonly isRefusal: boolean
}

/** The facts in an error that a cloud's client throws. */
export interface ThrownFacts {
  /** The names of the error, the most specific first. The first name that the table of codes contains decides. */
  readonly codes: readonly string[]
  /** The HTTP status. Undefined if no service answered. */
  readonly status?: number
  /** The number of attempts of the client. Default 1. */
  readonly attempts?: number
  readonly requestId?: string
}

/** The error code of Node for a host name that cannot be resolved. */
const UNKNOWN_HOST = 'ENOTFOUND'

/** Returns a field of a thrown value, which may have any type. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Returns a field of a thrown value if it is a non-empty string. */
export const textFieldOf = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

const isUnknownHost = (thrown: unknown): boolean =>
  textFieldOf(thrown, 'code') === UNKNOWN_HOST || textFieldOf(fieldOf(thrown, 'cause'), 'code') === UNKNOWN_HOST

/**
 * Returns the function that turns any value thrown by a call to a cloud into a failure. If no service answered (a lost
 * connection, a truncated answer), the class is `server`. A server error that the table does not contain is `server` too; a
 * client error that it does not contain is `other`.
 *
 * @param classes the class of each error code. It takes precedence over the status, because throttling may have a 5xx status.
 * @param read returns the facts in an error of the cloud's client.
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

/** Which objects of a call for several objects a failure concerns. */
export type Concern =
  /** All objects. The next call will fail as well. */
  | 'all'
  /** The service has an error. One object may be the cause; if calls for other objects fail in the same way, it is an outage. */
  | 'service'
  /** Some of the objects. */
  | 'some'

/** Returns which objects a failure of the class concerns. */
export const concernOf = (failure: FailureClass): Concern => {
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
