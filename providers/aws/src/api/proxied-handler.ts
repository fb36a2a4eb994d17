import type { Milliseconds } from '@kerf/apis'
import { throughProxy } from '@kerf/runtime'
import { buildQueryString } from '@smithy/core/protocols'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types'
import type { Network } from './network.ts'

type Pool = Awaited<ReturnType<typeof throughProxy>>
type Answer = Promise<{ response: HttpResponse }>

export interface HandlerOptions {
  readonly network: Network
  /** What requests without a proxy are sent with. */
  readonly direct: NodeHttpHandlerOptions
  readonly requestTimeout: Milliseconds
  readonly connectionTimeout: Milliseconds
  readonly maxSockets: number
}

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : ''
}
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Named as the SDK's own handler names it: the SDK decides by that whether to try again. */
const failure = (name: string, message: string, cause: unknown, code = ''): Error =>
  Object.assign(new Error(message, { cause }), { name, ...(code === '' ? {} : { code }) })

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])
const LOST: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** What undici threw, as the SDK expects it of a handler; `proxy` without user and password. */
const failureOf = (error: unknown, server: string, proxy: string): Error => {
  const code = codeOf(error)
  const text = messageOf(error)
  if (TIMEOUTS.has(code))
    return failure('TimeoutError', `no answer of ${server} by ${proxy}: ${text}`, error, 'ETIMEDOUT')
  if (LOST.has(code))
    return failure('TimeoutError', `the connection to ${server} by ${proxy} broke: ${text}`, error, 'ECONNRESET')
  return failure('ProxyError', `${server} cannot be reached by the proxy ${proxy}: ${text}`, error, code)
}

const urlOf = ({ protocol, hostname, port }: HttpRequest): URL =>
  new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`)

/** Requests of the SDK, each through the proxy that its server has, or directly. */
export class ProxiedHandler implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #options: HandlerOptions
  readonly #direct: NodeHttpHandler
  readonly #pools = new Map<string, Promise<Pool>>()

  constructor(options: HandlerOptions) {
    this.#options = options
    this.#direct = new NodeHttpHandler(options.direct)
  }

  async handle(request: HttpRequest, options: HttpHandlerOptions = {}): Answer {
    const url = urlOf(request)
    const proxy = this.#options.network.proxyFor(url.href)
    return proxy === undefined
      ? this.#direct.handle(request as Parameters<NodeHttpHandler['handle']>[0], options)
      : this.#send(request, url, proxy, options)
  }

  async #send(request: HttpRequest, url: URL, proxy: string, { abortSignal }: HttpHandlerOptions): Answer {
    const signal = abortSignal as AbortSignal | undefined
    // undici writes the host itself, of the origin: given a second time it opens a tunnel for that name anew.
    const { host: _host, ...headers } = request.headers
    const query = buildQueryString(request.query ?? {})
    try {
      const pool = await this.#pool(proxy)
      const answer = await pool.request({
        origin: url.origin,
        path: `${request.path}${query === '' ? '' : `?${query}`}`,
        method: request.method as 'POST',
        headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(signal === undefined ? {} : { signal }),
      })
      const told = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
      )
      return { response: { statusCode: answer.statusCode, headers: Object.fromEntries(told), body: answer.body } }
    } catch (error) {
      if (signal?.aborted === true) throw failure('AbortError', 'the request was given up', signal.reason)
      const { protocol, host } = new URL(proxy)
      throw failureOf(error, url.host, `${protocol}//${host}`)
    }
  }

  #pool(proxy: string): Promise<Pool> {
    const known = this.#pools.get(proxy)
    if (known !== undefined) return known
    const { network, requestTimeout, connectionTimeout, maxSockets } = this.#options
    const made = throughProxy(
      proxy,
      {
        allowH2: false,
        pipelining: 1,
        connections: maxSockets,
        headersTimeout: requestTimeout,
        bodyTimeout: requestTimeout,
        connectTimeout: connectionTimeout,
      },
      network.ca === undefined ? {} : { ca: network.ca },
      { tunnelsAll: false },
    )
    this.#pools.set(proxy, made)
    return made
  }
}
