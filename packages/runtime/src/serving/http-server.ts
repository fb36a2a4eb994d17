import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Milliseconds } from '@kerf/apis'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { parseRequestTarget } from './request-target.ts'

/** A request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Path and query as the client sent them. They start with a slash, and every percent sign starts a valid escape. */
  readonly target: string
}

/** A connection that the client asks to switch to another protocol. `HttpServer` handles errors of the socket. */
export interface HttpUpgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  /** See `HttpExchange`. */
  readonly target: string
}

/** The limits for one client. */
export interface HttpLimits {
  /** The time for the headers of a request, from the start of the connection, or from the first byte of a later request. */
  readonly headers: Milliseconds
  /** The time until the end of the request's body. There is no limit for the response. */
  readonly request: Milliseconds
  /** How often the limits `headers` and `request` are checked. */
  readonly checkInterval: Milliseconds
  /** How long a connection may transfer nothing during a response. 0 means no limit, for watches. */
  readonly silence: Milliseconds
  /** The maximum number of open connections. The server closes further connections at once. */
  readonly connections: number
}

export const defaultHttpLimits: HttpLimits = {
  headers: 10_000,
  // The time limit of a request, in milliseconds: the same as the API server's own limit for requests other than watches.
  request: 60_000,
  checkInterval: 2_500,
  silence: 0,
  connections: 4_096,
}

/** The idle time after which the kernel probes whether the peer still responds, so that half-open connections end. */
const TCP_KEEP_ALIVE: Milliseconds = 15_000

export interface HttpServerOptions {
  /** The purpose of the server, for error messages. */
  readonly endpoint: string
  /** The address to listen on. `''`, `::` and `0.0.0.0` mean every interface. */
  readonly address: string
  /** The port to listen on. 0 means any free port. */
  readonly port: number
  readonly limits?: Partial<HttpLimits>
  handle(exchange: HttpExchange): void | Promise<void>
  /** Handles a request for an upgrade. If absent, it is handled like any other request. */
  upgrade?(upgrade: HttpUpgrade): void | Promise<void>
  /** Responds to requests for which `handle` is not called, or for which it failed. By default the response is one line of text. */
  refuse?(response: ServerResponse, code: number, message: string): void
  /** Called with unexpected errors of `handle` and `upgrade`. `target` may contain a token. */
  fault(error: unknown, request?: { readonly method: string; readonly target: string }): void
}

const EVERYWHERE: ReadonlySet<string> = new Set(['', '::', '0.0.0.0'])

/**
 * The base of every HTTP server in Kerf. It handles all errors of clients and handlers: it refuses invalid requests, reports unexpected
 * errors and responds to them with 500, and limits the resources that a client can use.
 */
export class HttpServer {
  readonly address: string
  /** The requested port, or the port that was chosen for 0. */
  readonly port: number
  readonly #server: Server
  readonly #upgraded: ReadonlySet<Duplex>

  private constructor(server: Server, address: string, port: number, upgraded: ReadonlySet<Duplex>) {
    this.#server = server
    this.address = address
    this.port = port
    this.#upgraded = upgraded
  }

  /** Starts a server. Throws `PortInUse` or `CannotListen`. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const { address, port, endpoint } = options
    const limits = { ...defaultHttpLimits, ...options.limits }
    const upgraded = new Set<Duplex>()
    const server = createServer(
      {
        headersTimeout: limits.headers,
        requestTimeout: limits.request,
        connectionsCheckingInterval: limits.checkInterval,
        keepAlive: true,
        keepAliveInitialDelay: TCP_KEEP_ALIVE,
      },
      (request, response) => void answer(options, request, response),
    )
    server.timeout = limits.silence
    server.maxConnections = limits.connections
    // Idle connections are closed so that new ones are accepted.
    server.on('drop', () => server.closeIdleConnections())
    if (options.upgrade !== undefined) {
      server.on('upgrade', (request, socket, head) => {
        upgraded.add(socket)
        socket.on('close', () => upgraded.delete(socket))
        // From here on Node has no error listener on the socket, and without one a reset would end the process.
        socket.on('error', () => socket.destroy())
        void serveUpgrade(options, request, socket, head)
      })
    }
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, endpoint, address, port)))
      server.listen({ port, ...(!EVERYWHERE.has(address) && { host: address }) }, () => resolve())
    })
    server.removeAllListeners('error')
    // This happens, for example, if the process has no free file descriptor for a new connection.
    server.on('error', (error) => options.fault(error))
    const bound = server.address()
    const actual = typeof bound === 'object' && bound !== null ? bound.port : port
    return new HttpServer(server, address, actual, upgraded)
  }

  /** The number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  }

  /** Closes every connection and frees the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    for (const socket of this.#upgraded) socket.destroy()
    await closed
  }
}

const answer = async (
  options: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  // A failed write to a client that has disconnected is not an error of the server.
  response.on('error', () => response.destroy())
  const target = parseRequestTarget(request.url)
  try {
    if (target === undefined) refuse(options, response, 400, 'the request’s target is not a path')
    else await options.handle({ request, response, target })
  } catch (error) {
    options.fault(error, { method: request.method ?? '', target: target ?? '' })
    if (response.headersSent) response.destroy()
    else refuse(options, response, 500, 'internal error')
  }
}

const serveUpgrade = async (
  options: HttpServerOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> => {
  const target = parseRequestTarget(request.url)
  try {
    if (target === undefined) refuseUpgrade(socket, 400, 'Bad Request')
    else await options.upgrade?.({ request, socket, head, target })
  } catch (error) {
    options.fault(error, { method: request.method ?? '', target: target ?? '' })
    socket.destroy()
  }
}

const refuse = (options: HttpServerOptions, response: ServerResponse, code: number, message: string): void => {
  if (options.refuse !== undefined) options.refuse(response, code, message)
  else response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}

/** Refuses an upgrade with an HTTP response, and ends the connection. */
export const refuseUpgrade = (socket: Duplex, code: number, reason: string, body = ''): void => {
  const text = reason.replaceAll(/[^\x20-\x7e]/g, ' ') || 'Refused'
  const head = `HTTP/1.1 ${code} ${text}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  // Discards further input, so that a client that does not close its side cannot keep the connection open.
  socket.resume()
  socket.end(`${head}${body}`, () => socket.destroy())
}

const listenError = (error: Error & { code?: string }, endpoint: string, address: string, port: number): Error => {
  const shown = EVERYWHERE.has(address) ? 'every interface' : address
  if (error.code === 'EADDRINUSE') {
    return runtimeErrors.PortInUse({ port, address: shown, endpoint }, { cause: error })
  }
  const cause = error.code === 'EACCES' ? 'permission denied' : error.message
  return runtimeErrors.CannotListen({ port, address: address || '*', cause }, { cause: error })
}
