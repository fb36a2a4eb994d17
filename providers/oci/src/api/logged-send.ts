import type { Send } from '@kerf/provider-kit'
import type { Logger } from '@kerf/runtime'
import { errorCode, requestId } from './oci-api-error.ts'

const THROTTLED = 429
const REFUSED = 400

/**
 * Returns a function that sends requests and logs the refused ones with their request id, which Oracle's support needs. It never logs
 * queries, headers or bodies, because they may contain secrets.
 */
export const loggedSend =
  (send: Send, log: Logger): Send =>
  async (request, signal) => {
    const answer = await send(request, signal)
    const { status } = answer
    if (status >= REFUSED) {
      const facts = {
        ...{ call: `${request.method} ${request.url.pathname}`, status, code: errorCode(answer) ?? '' },
        request: requestId(answer) ?? '',
      }
      if (status === THROTTLED) log.info('Oracle Cloud throttles a call', facts)
      else log.debug('Oracle Cloud refused a call', facts)
    }
    return answer
  }
