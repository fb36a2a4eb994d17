import type { Send } from '@kerf/provider-kit'
import { type Clock, type Logger, textOfThrown } from '@kerf/runtime'

/**
 * Sends as `send` does, and logs each request with what came of it, at the level `debug`. Neither headers nor bodies are logged, nor
 * what a query string has beside its api-version: tokens and custom data are in them.
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
      const told = requestId === undefined ? {} : { requestId }
      log.debug('Azure answered', { ...about(), status: answer.status, ...told })
      return answer
    } catch (error) {
      log.debug('Azure did not answer', { ...about(), error: textOfThrown(error) })
      throw error
    }
  }
