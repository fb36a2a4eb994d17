import type { Fault } from '@kerf/provider-kit/testing'

/** How often the SDK tries what a server failed, what was throttled, and a connection that broke (its standard mode). */
const ATTEMPTS = 3

/**
 * An error as the SDK throws it once it gives up. That of a connection that broke has `$metadata` as well, with attempts and
 * without a status (`api/sdk.test.ts` shows it with the SDK itself).
 */
export const sdkError = ({ code, message = code, status = 400 }: Fault): Error =>
  code === 'network'
    ? Object.assign(new Error('socket hang up'), {
        code: 'ECONNRESET',
        $metadata: { attempts: ATTEMPTS, totalRetryDelay: 300 },
      })
    : Object.assign(new Error(message), {
        name: code,
        Code: code,
        $fault: status >= 500 ? 'server' : 'client',
        $metadata: { httpStatusCode: status, requestId: 'req-1', attempts: status >= 500 ? ATTEMPTS : 1 },
      })
