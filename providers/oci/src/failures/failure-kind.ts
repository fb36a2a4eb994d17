import { NoResponseError } from '@kerf/provider-kit'
import { OciApiError } from '../api/oci-api-error.ts'
import { ociErrors } from '../oci-errors.ts'

/** The meaning of a refused call (`providers/oci/docs/spec/oci.md#errors`). */
export type FailureKind =
  /** No host has capacity for the shape. */
  | 'capacity'
  /** The tenancy has reached a service limit, or the compartment has reached a quota. */
  | 'limit'
  /** The subnet has no free address. */
  | 'addresses'
  /** The credentials are missing, wrong or expired. */
  | 'credentials'
  /** The object does not exist, or no policy allows the caller to read it. Oracle Cloud does not distinguish these cases. */
  | 'not-found'
  /** A retry token was already used with different details. */
  | 'repeated-token'
  | 'throttled'
  /** The object is changing, so the call can succeed later. */
  | 'conflict'
  /** The request contains an invalid value. */
  | 'request'
  /** The service's host name cannot be resolved, because the region is wrong or DNS fails. */
  | 'region'
  /** There was no response, or the service failed. */
  | 'server'

const CAPACITY = /out of (?:host )?capacity/i
const LIMIT = /(?:service limits|quotas?) were exceeded/i
const ADDRESSES = /no available ip addresses|not enough ip/i
const LIMIT_CODES: ReadonlySet<string> = new Set(['LimitExceeded', 'QuotaExceeded'])

/** Returns the failure kind of an error code and message, which come from a response or from a work request. */
export const kindOfProblem = (code: string, message: string): FailureKind | undefined => {
  if (CAPACITY.test(message)) return 'capacity'
  if (ADDRESSES.test(message)) return 'addresses'
  return LIMIT_CODES.has(code) || LIMIT.test(message) ? 'limit' : undefined
}

const kindOfStatus = (status: number, code: string): FailureKind => {
  if (status === 401) return 'credentials'
  if (status === 404 || status === 403) return 'not-found'
  if (status === 429 || code === 'TooManyRequests') return 'throttled'
  if (status === 409) return code === 'InvalidatedRetryToken' ? 'repeated-token' : 'conflict'
  return status < 500 ? 'request' : 'server'
}

/** The error codes of Node.js for a host name without an address. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

/** Returns the failure kind of a thrown error, or of the first error in its cause chain that has a known kind. */
export const failureKind = (error: unknown): FailureKind => {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OciApiError)
      return kindOfProblem(each.code, each.detail) ?? kindOfStatus(each.status, each.code)
    if (ociErrors.NoOciCredentials.is(each)) return 'credentials'
    if (each instanceof NoResponseError) return NO_ADDRESS.has(each.fault.code) ? 'region' : 'server'
  }
  return 'server'
}
