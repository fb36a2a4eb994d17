import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Clock, type Connection, refuseUpgrade, shownServer } from '@kerf/runtime'
import { createProxyServer, type ProxyServerOptions } from 'httpxy'
import { ApiAgent } from './api-agent.ts'
import { problem } from './problem.ts'

/** Headers that apply to one connection only (RFC 9110, 7.6.1). The proxy does not forward them. */
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
/** Headers that are only meant for this server. The API server gets the kubeconfig's credentials instead. */
const BROWSER_ONLY =
  /^(?:host|origin|referer|cookie|authorization|forwarded|x-forwarded-.*|x-headlamp.*|sec-(?!websocket).*)$/
/** Matches tokens that browsers send as WebSocket subprotocols, because they cannot set headers on a WebSocket. */
const TOKEN_PROTOCOL = /^base64url\.(?:bearer\.authorization\.k8s\.io|headlamp\.)/

/**
 * Returns whether a request may be sent twice: it changes nothing (RFC 9110, 9.2.2), and it has no body, which could
 * be read only once.
 */
const isRepeatable = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Returns whether a request failed because the API server had closed, or was closing, an idle connection that this request reused (RFC
 * 9112, 9.3.1). Returns false on a new connection, so that a request is not repeated forever.
 */
const isStale = (isReused: boolean, error: unknown): boolean =>
  isReused && ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * Forwards requests to one API server as the user of a kubeconfig. Supports every verb and WebSockets, streams the
 * responses, and does not limit the duration of a watch. `httpxy` copies the bytes; this class sets the headers, the
 * credentials and the error messages.
 */
export class ApiProxy {
  readonly #connection: Connection
  readonly #agent: ApiAgent
  readonly #base: URL

  constructor(connection: Connection, clock?: Clock) {
    this.#connection = connection
    this.#base = new URL(connection.server)
    this.#agent = new ApiAgent(connection, clock)
  }

  /** Forwards one request. `path` is the part after the cluster's name, including the query. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    let options: ProxyServerOptions
    try {
      options = await this.#options()
    } catch (error) {
      problem(response, 502, this.#unasked(error))
      return
    }
    // If the browser disconnected while the credentials were being read, do not send the request, because no event would end it later.
    if (response.destroyed) return
    request.url = this.#pathOf(path)
    request.headers = headersFor(request)
    let isReused = false
    const proxy = createProxyServer()
    proxy.on('proxyReq', (outgoing) => {
      isReused = outgoing.reusedSocket
    })
    proxy.on('proxyRes', (answer) => {
      // The browser's connection to this server has its own keep-alive setting.
      request.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close'
      this.#prepareAnswer(answer, response)
    })
    try {
      await proxy.web(request, response, options)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else if (isRepeatable(request) && isStale(isReused, error) && !response.destroyed)
        await this.handle(request, response, path)
      else problem(response, 502, `cannot reach the API server ${this.#shown()}: ${errorMessage(error)}`)
    }
  }

  /** Forwards a request to upgrade to a WebSocket. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): Promise<void> {
    let options: ProxyServerOptions
    try {
      options = await this.#options()
    } catch (error) {
      refuseUpgrade(socket, 502, this.#unasked(error))
      return
    }
    if (socket.destroyed) return
    request.url = this.#pathOf(path)
    request.headers = upgradeHeadersFor(request, this.#base.origin)
    let isOpen = false
    const proxy = createProxyServer()
    proxy.on('proxyReqWs', (outgoing) => {
      // Nothing reads the socket before the upgrade. So the end of the connection shows only as an empty read.
      const endIfLeft = (): void => {
        if (socket.readableLength === 0) socket.destroy()
      }
      socket.on('readable', endIfLeft)
      outgoing.on('response', (answer) => refuseUpgrade(socket, answer.statusCode ?? 502, answer.statusMessage ?? ''))
      outgoing.on('upgrade', (_answer, upstream) => {
        isOpen = true
        socket.off('readable', endIfLeft)
        // If one side ends for any reason, end the other side.
        socket.on('close', () => upstream.destroy())
        upstream.on('close', () => socket.destroy())
        if (socket.destroyed) upstream.destroy()
      })
      socket.on('close', () => outgoing.destroy())
    })
    proxy.on('error', (error) => {
      if (isOpen) socket.destroy()
      else refuseUpgrade(socket, 502, errorMessage(error))
    })
    // Node's HTTP server always passes a socket here, although the type is Duplex.
    await proxy.ws(request, socket as Socket, options, head)
  }

  /** Ends the connections to the API server. WebSockets end together with the browser's connection. */
  close(): void {
    this.#agent.close()
  }

  #prepareAnswer(answer: IncomingMessage, response: ServerResponse): void {
    const status = answer.statusCode ?? 0
    if (status === 401) {
      this.#connection.credentials.invalidate()
      this.#agent.doubt()
    }
    if (status < 100) {
      answer.destroy()
      problem(response, 502, `the API server ${this.#shown()} sent an invalid response: HTTP status ${status}`)
      return
    }
    for (const name of [...HOP_BY_HOP, 'set-cookie']) delete answer.headers[name]
    // Send the headers at once, so that the browser sees that a watch has begun even if there are no events.
    response.once('pipe', () => response.flushHeaders())
  }

  async #options(): Promise<ProxyServerOptions> {
    const { tls, credentials, headers } = this.#connection
    const { authorization, certificate } = await credentials.current()
    return {
      target: {
        protocol: this.#base.protocol,
        host: this.#base.hostname.replace(/^\[|\]$/g, ''),
        port: this.#base.port,
      },
      agent: this.#agent.current(certificate),
      headers: { host: this.#base.host, ...headers, ...(authorization !== undefined && { authorization }) },
      secure: tls.insecure !== true,
    }
  }

  #pathOf(path: string): string {
    return `${this.#base.pathname.replace(/\/$/, '')}${path}`
  }

  #shown(): string {
    return shownServer(this.#connection.server)
  }

  /** Returns the error message for a request that could not be sent to the API server. */
  #unasked(error: unknown): string {
    return `no credentials for ${this.#connection.origin}: ${errorMessage(error)}`
  }
}

/** Returns the headers to forward. Keeps `transfer-encoding` because the framing of the forwarded request depends on it. */
const headersFor = (request: IncomingMessage): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => name === 'transfer-encoding' || !(HOP_BY_HOP.has(name) || BROWSER_ONLY.test(name)),
    ),
  )

const upgradeHeadersFor = (request: IncomingMessage, origin: string): IncomingHttpHeaders => {
  const { 'sec-websocket-protocol': offered = '', 'transfer-encoding': _, ...headers } = headersFor(request)
  const protocols = offered
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !TOKEN_PROTOCOL.test(one))
  return {
    ...headers,
    connection: 'Upgrade',
    upgrade: 'websocket',
    // The API server responds with 403 to a WebSocket request without an origin.
    origin,
    ...(protocols.length > 0 && { 'sec-websocket-protocol': protocols.join(', ') }),
  }
}

const errorMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'connection refused' : error.message || (code ?? 'unknown error')
}
