import type { HttpResponse } from '@kerf/provider-kit'

/** One error entry, in the format of operations and error responses. */
export interface ErrorEntry {
  readonly code: string
  readonly message: string
  readonly errorDetails?: readonly object[]
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ALREADY_EXISTS'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
])

/**
 * An error response of a Google API. The body has both formats: Compute Engine's `errors[]` with `reason` (cloud.google.com/compute/docs,
 * "Troubleshooting API errors"), and the `status` of google.aip.dev/193, which GKE returns.
 */
export class GoogleError extends Error {
  override readonly name = 'GoogleError'
  readonly status: number
  readonly reason: string
  readonly details: readonly object[]

  constructor(status: number, reason: string, message: string, details: readonly object[] = []) {
    super(message)
    this.status = status
    this.reason = reason
    this.details = details
  }
}

/** Returns the error for an invalid value in a request body. */
export const invalidValue = (field: string, value: unknown, problem: string): GoogleError =>
  new GoogleError(400, 'invalid', `Invalid value for field '${field}': '${String(value)}'. ${problem}`)

export const notFound = (path: string): GoogleError =>
  new GoogleError(404, 'notFound', `The resource '${path}' was not found`)

/** Returns the HTTP response for an error. */
export const errorResponse = ({ status, reason, message, details }: GoogleError): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  text: JSON.stringify({
    error: {
      code: status,
      message,
      // Newer services return only the status.
      ...(STATUS_NAMES.get(status) === reason ? {} : { errors: [{ message, domain: 'global', reason }] }),
      status: STATUS_NAMES.get(status) ?? 'UNKNOWN',
      ...(details.length === 0 ? {} : { details }),
    },
  }),
})
