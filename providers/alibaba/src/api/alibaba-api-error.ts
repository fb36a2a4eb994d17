import type { HttpError, HttpResponse } from '@kerf/provider-kit'

const fields = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const textOf = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((value): value is string => typeof value === 'string' && value !== '')

/** Returns the error code in a response, or undefined if there is none. RPC APIs call the field `Code`, ROA APIs `code`. */
export const errorCode = ({ text }: HttpResponse): string | undefined => {
  const { Code, code } = fields(text)
  return textOf(Code, code)
}

/** Returns true for `Throttling` and for codes such as `Throttling.User`. Alibaba Cloud returns them with status 400. */
export const isThrottling = (code: string | undefined): boolean => /^Throttling(?:\.|$)/.test(code ?? '')

/** An error that Alibaba Cloud returned. The message contains the action, the code and the request ID, which Alibaba's support needs. */
export class AlibabaApiError extends Error {
  override readonly name = 'AlibabaApiError'
  readonly status: number
  /** The error code, for example `OperationDenied.NoStock`. `Unknown` if the response has none. */
  readonly code: string
  /** The error message of the API, without the name of the action. */
  readonly detail: string
  readonly requestId: string | undefined

  constructor(action: string, { status, answer }: HttpError, options?: ErrorOptions) {
    const { Message, message, RequestId, requestId } = fields(answer.text)
    const code = errorCode(answer) ?? 'Unknown'
    const detail = textOf(Message, message) ?? `status ${status}`
    const request = textOf(RequestId, requestId)
    super(`${action}: ${code}: ${detail}${request === undefined ? '' : ` (request ${request})`}`, options)
    this.status = status
    this.code = code
    this.detail = detail
    this.requestId = request
  }
}
