import { ApiError } from '@kerf/runtime'

/** Returns an error as the `Status` object that clients parse. */
export const statusDocument = (
  error: unknown,
): { readonly code: number; readonly body: object; readonly retryAfter: number | undefined } => {
  if (error instanceof ApiError) {
    const { code, reason, message, details } = error
    return {
      code,
      retryAfter: details.retryAfterSeconds,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        ...(reason === '' ? {} : { reason }),
        ...(Object.keys(details).length === 0 ? {} : { details }),
        code,
      },
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: 500,
    retryAfter: undefined,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      code: 500,
    },
  }
}
