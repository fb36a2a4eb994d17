import { type ConnectionLimits, Connections, classifyConnectionFault, type Network } from '@kerf/provider-kit'
import { buildQueryString } from '@smithy/core/protocols'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types'

type Answer = Promise<{ response: HttpResponse }>

export interface HandlerOptions extends ConnectionLimits {
  readonly network: Network
  /** The options for requests without a proxy. */
  readonly direct: NodeHttpHandlerOptions
}

/** Returns an error with the name that the SDK's own handler would use. The SDK uses the name to decide whether to retry. */
const failure = (name: string, message: string, cause: unknown, code = ''): Error =>
  Object.assign(new Error(message, { cause }), { name, ...(code === '' ? {} : { code }) })

/** Returns the error that the SDK expects when a connection fails. `proxy` is the proxy's URL without user and password. */
const errorFailure = (error: unknown, server: string, proxy: string): Error => {
  const { kind, code, message } = classifyConnectionFault(error)
  switch (kind) {
    case 'timeout':
      return failure(
        'TimeoutError',
        `no response from ${server} through proxy ${proxy}: ${message}`,
        error,
        'ETIMEDOUT',
      )
    case 'lost':
      return failure(
        'TimeoutError',
        `the connection to ${server} through proxy ${proxy} broke: ${message}`,
        error,
        'ECONNRESET',
      )
    case 'other':
      return failure('ProxyError', `${server} cannot be reached through proxy ${proxy}: ${message}`, error, code)
  }
}

const requestUrl = ({ protocol, hostname, port }: HttpRequest): URL =>
  new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`)

/** Sends the SDK's requests. If a proxy is configured for the server, the request goes through that proxy. */
export class ProxiedHandler implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #connections: Connections
  readonly #direct: NodeHttpHandler

  constructor({ network, direct, ...limits }: HandlerOptions) {
    this.#connections = new Connections(network, limits)
    this.#direct = new NodeHttpHandler(direct)
  }

  async handle(request: HttpRequest, options: HttpHandlerOptions = {}): Answer {
    const url = requestUrl(request)
    const proxy = this.#connections.proxyNameFor(url)
    return proxy === undefined
      ? this.#direct.handle(request as Parameters<NodeHttpHandler['handle']>[0], options)
      : this.#send(request, url, proxy, options)
  }

  async #send(request: HttpRequest, url: URL, proxy: string, { abortSignal }: HttpHandlerOptions): Answer {
    const signal = abortSignal as AbortSignal | undefined
    // undici sets the host header itself. A second host header would make undici open a new tunnel.
    const { host: _host, ...headers } = request.headers
    const query = buildQueryString(request.query ?? {})
    try {
      const pool = await this.#connections.to(url)
      const answer = await pool.request({
        origin: url.origin,
        path: `${request.path}${query === '' ? '' : `?${query}`}`,
        method: request.method as 'POST',
        headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(signal === undefined ? {} : { signal }),
      })
      const responseHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
      )
      return {
        response: { statusCode: answer.statusCode, headers: Object.fromEntries(responseHeaders), body: answer.body },
      }
    } catch (error) {
      if (signal?.aborted === true) throw failure('AbortError', 'the request was aborted', signal.reason)
      throw errorFailure(error, url.host, proxy)
    }
  }
}
