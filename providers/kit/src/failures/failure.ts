import { textOfThrown } from '@kerf/runtime'

/** What a refusal of a cloud means, whatever the cloud and whichever of its services. */
export type FailureClass =
  | 'not-found'
  | 'already-exists'
  /** A dry run that would have been allowed. */
  | 'dry-run-succeeded'
  | 'unauthorized'
  /** The credentials are wrong or have run out; no call will succeed. */
  | 'credentials'
  /** The account may not use the service: not signed up for it, blocked, or under verification. */
  | 'account'
  | 'rate-limited'
  /** The name of the service has no address: it does not exist, or its names cannot be resolved from here. */
  | 'no-endpoint'
  /** A fault of the service; trying again may help. */
  | 'server'
  | 'other'

export interface Failure {
  readonly class: FailureClass
  /** As the service calls it. */
  readonly code: string
  readonly message: string
  readonly requestId?: string
  /**
   * Whether the call has surely changed nothing: the service itself refused it, at the first attempt. A connection that
   * is cut, an answer that cannot be read and a refusal of a repeat say nothing of what an attempt has done.
   */
  readonly isRefusal: boolean
}

/** What a cloud's client says in an error that it throws. */
export interface ThrownFacts {
  /** What the error is called, the best name first: the first one that the table of codes has counts. */
  readonly codes: readonly string[]
  /** The status of HTTP; none where no service answered. */
  readonly status?: number
  /** How often the client tried; one where it does not say. */
  readonly attempts?: number
  readonly requestId?: string
}

/** As Node says it. */
const UNKNOWN_HOST = 'ENOTFOUND'

/** A field of something thrown, which may be anything. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A field of something thrown that is a text and not empty. */
export const textFieldOf = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

const isUnknownHost = (thrown: unknown): boolean =>
  textFieldOf(thrown, 'code') === UNKNOWN_HOST || textFieldOf(fieldOf(thrown, 'cause'), 'code') === UNKNOWN_HOST

/**
 * Makes the function that turns whatever a call to a cloud threw into a failure. What no service said (a lost connection,
 * an answer that breaks off) is of class `server`, and so is a fault that the table does not know. A refusal of the
 * caller that it does not know is `other`.
 *
 * @param classes the class of each code of the cloud. It counts before the status: throttling may come with a status of
 *   the server's faults.
 * @param read what the cloud's client says in an error.
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

/** Whom a failed call for several objects was about. */
export type Concern =
  /** Whoever is asked about: the next call fails as well. */
  | 'all'
  /** The service has a fault. It may be the fault of one object; when calls for others fail alike, it is an outage. */
  | 'service'
  /** Some of the objects. */
  | 'some'

/** Whom a failure of the class is about. */
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
