import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsGzip } from './accept-encoding.ts'
import { sendBody } from './send-body.ts'
import type { SharedScrape } from './shared-scrape.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Responds to a scrape. If the scraper disconnects, this is not an error, and rendering stops unless another scraper waits for the
 * same rendering.
 */
export const respondWithMetrics = async (
  scrape: SharedScrape,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const encoding = acceptsGzip(request.headers) ? 'gzip' : 'identity'
  const headers = {
    'content-type': TYPE,
    vary: 'accept-encoding',
    ...(encoding === 'gzip' && { 'content-encoding': encoding }),
  }
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end()
    return
  }
  const left = new AbortController()
  const leave = (): void => left.abort(new Error('the scraper has gone'))
  response.once('close', leave)
  if (response.destroyed) leave()
  try {
    const parts = await scrape.get(encoding, left.signal)
    const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
    response.writeHead(200, { ...headers, 'content-length': length })
    await sendBody(response, parts)
  } catch (error) {
    if (!left.signal.aborted) throw error
  }
}
