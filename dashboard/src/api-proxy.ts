import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { type Connection, refuseUpgrade, shownServer } from '@kerf/runtime'
import { problem } from './problem.ts'

/** Meant for one connection only (RFC 9110, 7.6.1), so not passed on. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Of the browser and of this server; the API server gets the kubeconfig's credentials instead. */
const BROWSER_ONLY =
  /^(?:host|origin|referer|cookie|authorization|forwarded|x-forwarded-.*|x-headlamp.*|sec-(?!websocket).*)$/
/** Tokens that browsers offer as pseudo-protocols because they cannot set headers on a WebSocket. */
const TOKEN_PROTOCOL = /^base64url\.(?:bearer\.authorization\.k8s\.io|headlamp\.)/

/** Whether a request may be sent twice: it changes nothing (RFC 9110, 9.2.2), and there is no body that is gone after the first time. */
const isRepeatable = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Whether the API server had closed the idle connection that a request was sent on, or was closing it just then
 * (RFC 9112, 9.3.1). The first request on a new connection never is: so repeats end.
 */
const isStale = ({ reusedSocket }: http.ClientRequest, error: NodeJS.ErrnoException): boolean =>
  reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/**
 * Passes requests on to one API server as the user of a kubeconfig: every verb, answers streamed as they come, no limit
 * on the length of a watch, WebSockets included.
 */
export class ApiProxy {
  readonly #connection: Connection
  readonly #agent: http.Agent
  readonly #base: URL

  constructor(connection: Connection) {
    this.#connection = connection
    this.#base = new URL(connection.server)
    const proxy = connection.proxyUrl
    const options = {
      keepAlive: true,
      ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
    }
    this.#agent = this.#base.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
  }

  /** `path` is what stands behind the cluster's name, query included. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    let outgoing: http.ClientRequest
    try {
      outgoing = await this.#open(request, path, headersFor(request))
    } catch (error) {
      problem(response, 502, this.#unasked(error))
      return
    }
    outgoing.on('response', (answer) => {
      if (answer.statusCode === 401) this.#connection.credentials.invalidate()
      try {
        response.writeHead(answer.statusCode ?? 502, answerHeaders(answer))
      } catch (error) {
        outgoing.destroy()
        problem(
          response,
          502,
          `the API server ${shownServer(this.#connection.server)} gave no proper answer: ${messageOf(error)}`,
        )
        return
      }
      // A watch that has nothing to say yet must still be seen to have begun.
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy()
      else if (isRepeatable(request) && isStale(outgoing, error) && !response.destroyed)
        void this.handle(request, response, path)
      else
        problem(
          response,
          502,
          `cannot reach the API server ${shownServer(this.#connection.server)}: ${messageOf(error)}`,
        )
    })
    // The browser may have gone while the credentials were read; nobody would end what is asked for now.
    if (response.destroyed) outgoing.destroy()
    response.on('close', () => outgoing.destroy())
    if (isRepeatable(request)) outgoing.end()
    else request.pipe(outgoing)
  }

  /** The same for a connection that becomes a WebSocket. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): Promise<void> {
    let outgoing: http.ClientRequest
    try {
      const protocols = (request.headers['sec-websocket-protocol'] ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '' && !TOKEN_PROTOCOL.test(one))
      const { 'sec-websocket-protocol': _, ...headers } = headersFor(request)
      outgoing = await this.#open(request, path, {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        // The API server answers 403 to a WebSocket without an origin.
        origin: this.#base.origin,
        ...(protocols.length > 0 && { 'sec-websocket-protocol': protocols.join(', ') }),
      })
    } catch (error) {
      refuseUpgrade(socket, 502, this.#unasked(error))
      return
    }
    outgoing.on('upgrade', (answer, upstream, upstreamHead) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(upstreamHead)
      upstream.write(head)
      join(socket, upstream)
    })
    outgoing.on('response', (answer) => {
      refuseUpgrade(socket, answer.statusCode ?? 502, answer.statusMessage ?? '')
      answer.resume()
    })
    outgoing.on('error', (error) => refuseUpgrade(socket, 502, messageOf(error)))
    if (socket.destroyed) outgoing.destroy()
    socket.on('close', () => outgoing.destroy())
    outgoing.end()
  }

  /** Ends the connections to the API server that wait for another request; each other one ends with the browser's. */
  close(): void {
    this.#agent.destroy()
  }

  async #open(request: IncomingMessage, path: string, headers: OutgoingHttpHeaders): Promise<http.ClientRequest> {
    const { tls, credentials, headers: own } = this.#connection
    const { authorization, certificate } = await credentials.current()
    const pair = certificate ?? (tls.cert && tls.key ? { cert: tls.cert, key: tls.key } : undefined)
    const options: https.RequestOptions = {
      method: request.method ?? 'GET',
      path: `${this.#base.pathname.replace(/\/$/, '')}${path}`,
      headers: { ...headers, host: this.#base.host, ...own, ...(authorization !== undefined && { authorization }) },
      agent: this.#agent,
      host: this.#base.hostname.replace(/^\[|\]$/g, ''),
      port: this.#base.port,
    }
    if (this.#base.protocol !== 'https:') return http.request(options)
    return https.request({
      ...options,
      ...(tls.ca !== undefined && { ca: tls.ca }),
      ...pair,
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
      ...(tls.insecure === true && { rejectUnauthorized: false }),
    })
  }

  /** Why nothing was sent to the API server. */
  #unasked(error: unknown): string {
    return `no credentials for ${this.#connection.origin}: ${messageOf(error)}`
  }
}

/** What comes on one goes to the other, and when one ends, so does the other. */
const join = (one: Duplex, other: Duplex): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => from.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
  if (one.destroyed) other.destroy()
}

const headersFor = (request: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.has(name) && !BROWSER_ONLY.test(name)),
  )

/** The body is passed on as it comes, encoded or not; only what concerns one connection is left out, and cookies. */
const answerHeaders = (answer: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name) && name !== 'set-cookie'))

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'connection refused' : error.message || (code ?? 'unknown error')
}
