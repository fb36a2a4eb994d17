import { ownField } from '@kerf/apis'
import { HttpError, type HttpResponse } from '@kerf/provider-kit'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textIn = (value: unknown, name: string): string | undefined => {
  const field = ownField(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

/** Returns the error code in a response, for example `TooManyRequests`, or undefined if there is none. */
export const errorCode = ({ text }: HttpResponse): string | undefined => textIn(parsed(text), 'code')

/** Returns the request id, which Oracle's support needs. */
export const requestId = ({ headers }: HttpResponse): string | undefined => headers['opc-request-id']

/** An error that Oracle Cloud returned. The message contains the call, the code and the request id. */
export class OciApiError extends Error {
  override readonly name = 'OciApiError'
  readonly status: number
  /** The error code, for example `LimitExceeded`. `Unknown` if the response has none. */
  readonly code: string
  /** The error message of the API. */
  readonly detail: string
  readonly requestId: string | undefined

  constructor(operation: string, { status, answer }: Pick<HttpError, 'status' | 'answer'>, options?: ErrorOptions) {
    const code = errorCode(answer) ?? 'Unknown'
    const detail = textIn(parsed(answer.text), 'message') ?? `status ${status}`
    const id = requestId(answer)
    super(`${operation}: ${code}: ${detail}${id === undefined ? '' : ` (request ${id})`}`, options)
    this.status = status
    this.code = code
    this.detail = detail
    this.requestId = id
  }
}

/**
 * Returns true if the status is 404. Oracle Cloud also returns 404 if the caller lacks permission, so the status does not prove that the
 * object is gone.
 */
export const isOciNotFound = (error: unknown): boolean => error instanceof OciApiError && error.status === 404

/** Converts an error of a call to OciApiError if Oracle Cloud sent a response. Returns any other error unchanged. */
export const ociErrorOf = (operation: string, thrown: unknown): unknown =>
  thrown instanceof HttpError ? new OciApiError(operation, thrown, { cause: thrown }) : thrown
