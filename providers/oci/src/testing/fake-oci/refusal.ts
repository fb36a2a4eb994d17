/** An error response of the API. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Returns the error for a request with an invalid field. */
export const invalidParameter = (message: string): Refusal => ({ status: 400, code: 'InvalidParameter', message })

export const missingParameter = (message: string): Refusal => ({ status: 400, code: 'MissingParameter', message })

/** Returns the error for objects that do not exist or that the caller may not read. */
export const notFound = (what: string): Refusal => ({
  status: 404,
  code: 'NotAuthorizedOrNotFound',
  message: `Authorization failed or requested resource not found: ${what}`,
})

export const throttled: Refusal = {
  status: 429,
  code: 'TooManyRequests',
  message: 'Too many requests for the user.',
}

/** The error if no host has capacity. The API reports it as an internal error. */
export const outOfHostCapacity: Refusal = { status: 500, code: 'InternalError', message: 'Out of host capacity.' }

export const notAuthenticated: Refusal = {
  status: 401,
  code: 'NotAuthenticated',
  message: 'The required information to complete authentication was not provided or was incorrect.',
}

export const isRefusal = (value: object): value is Refusal => 'code' in value && 'status' in value && 'message' in value
