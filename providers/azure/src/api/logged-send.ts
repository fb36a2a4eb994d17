import type { Send } from '@kerf/provider-kit'
import { type Clock, type Logger, textOfThrown } from '@kerf/runtime'

/**
 * Returns a function that sends like `send`, and logs each request with its result at the level `debug`. It does not log headers, bodies
 * and query strings (except the api-version), because they may contain tokens and custom data.
 */
export const loggedSend =
  (send: Send, { clock, log }: { readonly clock: Clock; readonly log: Logger }): Send =>
  async (request, signal) => {
    const { method, url } = request
    const begun = clock.monotonic()
    const apiVersion = url.searchParams.get('api-version')
    const about = () => ({
      ...{ method, host: url.host, path: url.pathname, milliseconds: Math.round(clock.monotonic() - begun) },
      ...(apiVersion === null ? {} : { apiVersion }),
    })
    try {
      const answer = await send(request, signal)
      const requestId = answer.headers['x-ms-request-id']
      const requestField = requestId === undefined ? {} : { requestId }
      log.debug('Azure answered', { ...about(), status: answer.status, ...requestField })
      return answer
    } catch (error) {
      log.debug('Azure did not respond', { ...about(), error: textOfThrown(error) })
      throw error
    }
  }
