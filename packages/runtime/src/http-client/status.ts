import type { Seconds } from '@kerf/apis'
import { ApiError, type StatusDetails, type StatusReason } from '../kube-client/api-error.ts'

const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the error for a `metav1.Status`, or `undefined` if `body` is not one. */
export const errorOfStatus = (body: unknown, retryAfterSeconds?: Seconds): ApiError | undefined => {
  if (!isRecord(body) || body['kind'] !== 'Status') return undefined
  const code = typeof body['code'] === 'number' ? body['code'] : 500
  const reason = typeof body['reason'] === 'string' && body['reason'] !== '' ? body['reason'] : REASONS[code]
  const message = typeof body['message'] === 'string' ? body['message'] : `the API server answered ${code}`
  const details: StatusDetails = isRecord(body['details']) ? body['details'] : {}
  return new ApiError({
    code,
    reason: reason ?? 'InternalError',
    message,
    details: retryAfterSeconds === undefined ? details : { retryAfterSeconds, ...details },
  })
}

/**
 * Returns the error for an unsuccessful response. The body may be text or HTML, because proxies and load balancers send such
 * responses.
 */
export const errorOfResponse = (code: number, body: string, request: string, retryAfterSeconds?: Seconds): ApiError => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    parsed = undefined
  }
  const status = errorOfStatus(parsed, retryAfterSeconds)
  if (status !== undefined) return status
  const said = body.trim().replaceAll(/\s+/g, ' ').slice(0, 200)
  return new ApiError({
    code,
    reason: REASONS[code] ?? 'InternalError',
    message: `${request} was answered with ${code}${said === '' ? '' : `: ${said}`}`,
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  })
}
