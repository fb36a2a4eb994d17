import type { Fault } from '@kerf/provider-kit/testing'

/** How often the SDK tries what a server failed, what was throttled, and a connection that broke (its standard mode). */
const ATTEMPTS = 3

/** Nobody answered: Node's own error, with Node's code. It has `$metadata` as well, with attempts and without a status. */
const connectionError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, $metadata: { attempts: ATTEMPTS, totalRetryDelay: 300 } })

/** An error as the SDK throws it once it gives up (`api/sdk.test.ts` shows both forms with the SDK itself). */
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
