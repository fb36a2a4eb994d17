import type { Fault } from '@kerf/provider-kit/testing'

/** The number of SDK attempts after server errors, throttling and broken connections (its standard mode). */
const ATTEMPTS = 3

/**
 * Returns the error for a missing response. It is Node's own error with Node's code, and the SDK adds `$metadata` with the attempts but
 * without a status.
 */
const connectionError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, $metadata: { attempts: ATTEMPTS, totalRetryDelay: 300 } })

/** Returns an error as the SDK throws it after its last attempt (`api/sdk.test.ts` checks both forms with the SDK itself). */
export const sdkError = ({ code, message = code, status = 400 }: Fault): Error => {
  if (code === 'network') return connectionError('ECONNRESET', 'socket hang up')
  if (code === 'ENOTFOUND') return connectionError(code, message)
  return Object.assign(new Error(message), {
    name: code,
    Code: code,
    $fault: status >= 500 ? 'server' : 'client',
    $metadata: { httpStatusCode: status, requestId: 'req-1', attempts: status >= 500 ? ATTEMPTS : 1 },
  })
}
