import { ApiError } from '@kerf/runtime'

const reasons: Readonly<Record<number, string>> = {
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
}

/** Returns the error that an API server sends with this status code. */
export const apiError = (code: number, message = `simulated ${code}`): ApiError =>
  new ApiError({ code, reason: reasons[code] ?? 'InternalError', message })
