import { type ConnectionFault, classifyConnectionFault } from './connection-fault.ts'
import type { Connections } from './connections.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The body of an upload, instead of `body`. */
  readonly bytes?: Uint8Array
}

export interface HttpResponse {
  readonly status: number
  /** The reason phrase of the status line. Some APIs put their error message there. */
  readonly statusText?: string
  /** Headers, keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Thrown when a request got no response. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  readonly fault: ConnectionFault

  constructor(server: string, fault: ConnectionFault, options?: ErrorOptions) {
    super(`no response from ${server}: ${fault.message}`, options)
    this.fault = fault
  }
}

/**
 * Sends one request, without retries.
 *
 * @throws NoResponseError, or the signal's reason when it is aborted.
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>

/** Returns a function that sends requests over these connections, with Kerf's User-Agent. */
export const sendOver =
  (connections: Connections, { userAgent }: { readonly userAgent: string }): Send =>
  async ({ method, url, headers, body, bytes }, signal) => {
    const content = bytes ?? body
    try {
      const pool = await connections.to(url)
      const answer = await pool.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'user-agent': userAgent, ...headers },
        signal,
        ...(content === undefined ? {} : { body: content }),
      })
      const responseHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value] as const],
      )
      const { statusCode: status, statusText } = answer
      return { status, statusText, headers: Object.fromEntries(responseHeaders), text: await answer.body.text() }
    } catch (error) {
      signal.throwIfAborted()
      const proxy = connections.proxyNameFor(url)
      const server = proxy === undefined ? url.host : `${url.host} by the proxy ${proxy}`
      throw new NoResponseError(server, classifyConnectionFault(error), { cause: error })
    }
  }
