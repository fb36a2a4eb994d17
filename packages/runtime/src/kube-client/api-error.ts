import type { Seconds } from '@kerf/apis'
/** The values of `reason` in `metav1.Status` on which Kerf's code depends. */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'Timeout'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  /** No complete response arrived. The code is 0. */
  | 'Unreachable'
  /** The response violates the protocol. The code is 0. */
  | 'MalformedAnswer'
  | (string & {})

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: Seconds
}

/** An unsuccessful response of the API server. If `code` is 0, there was no valid response. */
export class ApiError extends Error {
  readonly code: number
  readonly reason: StatusReason
  readonly details: StatusDetails
  /** If the code is 0, the server's address without its secret parts. */
  readonly server: string | undefined
  /** If the code is 403, whether the request had no credentials. */
  readonly isAnonymous: boolean

  constructor(
    status: {
      code: number
      reason: StatusReason
      message: string
      details?: StatusDetails
      server?: string
      isAnonymous?: boolean
    },
    options?: ErrorOptions,
  ) {
    super(status.message, options)
    this.name = 'ApiError'
    this.code = status.code
    this.reason = status.reason
    this.details = status.details ?? {}
    this.server = status.server
    this.isAnonymous = status.isAnonymous ?? false
  }
}

export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 404
/**
 * Returns whether a patch was meant for another object. If a patch contains the UID of a deleted object, and another object now has
 * that name, the server answers that the patch is invalid.
 */
const isMeantForAnother = (error: ApiError): boolean =>
  error.code === 422 && error.details.causes?.some(({ field }) => field === 'metadata.uid') === true
/** Returns whether the object has a newer version, or another object now has its name. The caller must read it again. */
export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && ((error.code === 409 && error.reason !== 'AlreadyExists') || isMeantForAnother(error))
export const isAlreadyExists = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'AlreadyExists'
/** Returns whether the resourceVersion or the continue token is too old. The caller must list again. */
export const isExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone')
/**
 * Returns whether the account lacks a permission. Returns false if the API server could not authenticate the request (a 401, or a
 * 403 to a request without credentials), because then every other request would fail as well.
 */
export const isForbidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 403 && !error.isAnonymous
/**
 * Returns whether the error is a 401 or a 403. An API server that has just started may give these responses until it has loaded its
 * roles and ServiceAccounts.
 */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 403 || error.code === 401)
export const isTooManyRequests = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 429
export const isInvalid = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 422
