import type { Seconds } from '@kerf/apis'
/** The reasons of `metav1.Status` that code decides on. */
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
  /** Code 0: no whole answer came. */
  | 'Unreachable'
  /** Code 0: what came is not what the protocol says. */
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

/** An answer of the API server that is not a success. `code` 0 means that no answer came at all. */
export class ApiError extends Error {
  readonly code: number
  readonly reason: StatusReason
  readonly details: StatusDetails
  /** Of code 0: the address that was tried, without what is secret in it. */
  readonly server: string | undefined
  /** Of code 403: the request had no credentials. */
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
/** A patch that names the uid of an object that is gone, while another has taken its name, is invalid for the server. */
const isMeantForAnother = (error: ApiError): boolean =>
  error.code === 422 && error.details.causes?.some(({ field }) => field === 'metadata.uid') === true
/** The object has moved on, to another version or to another object of its name: read it again. */
export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && ((error.code === 409 && error.reason !== 'AlreadyExists') || isMeantForAnother(error))
export const isAlreadyExists = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'AlreadyExists'
/** The resourceVersion or continue token is too old: list again. */
export const isExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone')
/**
 * The account lacks a permission. Not true if the API server does not know who asks (a 401, or a 403 to a request without
 * credentials): then no other request is worth trying.
 */
export const isForbidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 403 && !error.isAnonymous
/** A 401 or a 403. An API server that has just started may answer either, until it has read its roles and ServiceAccounts. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 403 || error.code === 401)
export const isTooManyRequests = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 429
export const isInvalid = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 422
