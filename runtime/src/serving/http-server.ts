import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Milliseconds } from '@kerf/apis'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { targetOf } from './request-target.ts'

/** One request and where its answer goes. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Path and query as the client wrote them: begins with a slash, and every percent sign begins an escape. */
  readonly target: string
}

/** A connection that asks to become another protocol. Errors of the socket are taken care of. */
export interface HttpUpgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  /** As of `HttpExchange`. */
  readonly target: string
}

/** What one client may take of a server. */
export interface HttpLimits {
  /** From the opening of a connection, or the first byte of a further request, to the end of its headers. */
  readonly headers: Milliseconds
  /** The same to the end of the body. The answer may take any time. */
  readonly request: Milliseconds
  /** How often both are looked at. */
  readonly checkInterval: Milliseconds
  /** How long a connection may carry nothing while it is answered; 0 for no limit, as watches need it. */
  readonly silence: Milliseconds
  /** Open connections. More are closed at once. */
  readonly connections: number
}

export const defaultHttpLimits: HttpLimits = {
  headers: 10_000,
  // The API server's own limit for a request that is no watch.
  request: 60_000,
  checkInterval: 2_500,
  silence: 0,
  connections: 4_096,
}

/** After this much silence the kernel probes whether the peer is still there, so that half-open connections end. */
const TCP_KEEP_ALIVE: Milliseconds = 15_000

export interface HttpServerOptions {
  /** What the server is for, in errors. */
  readonly endpoint: string
  /** `''`, `::` and `0.0.0.0` mean every interface. */
  readonly address: string
  /** 0 for any free one. */
  readonly port: number
  readonly limits?: Partial<HttpLimits>
  handle(exchange: HttpExchange): void | Promise<void>
  /** Absent: a request for an upgrade is answered like any other. */
  upgrade?(upgrade: HttpUpgrade): void | Promise<void>
  /** Answers what never reaches `handle`, or what it failed to answer. Absent: a line of text. */
  refuse?(response: ServerResponse, code: number, message: string): void
  /** Told of what `handle` and `upgrade` did not foresee. `target` may hold a token. */
  fault(error: unknown, request?: { readonly method: string; readonly target: string }): void
}

const EVERYWHERE: ReadonlySet<string> = new Set(['', '::', '0.0.0.0'])

/**
 * Every HTTP server of ours. Nothing that a client sends, or stops sending, and nothing that a handler throws gets past
 * it: requests that make no sense are refused, unforeseen errors are answered with 500 and reported, and what a single
 * client can hold is limited.
 */
export class HttpServer {
  readonly address: string
  /** The one that was asked for, or the free one that was found for 0. */
  readonly port: number
  readonly #server: Server
  readonly #upgraded: ReadonlySet<Duplex>

  private constructor(server: Server, address: string, port: number, upgraded: ReadonlySet<Duplex>) {
    this.#server = server
    this.address = address
    this.port = port
    this.#upgraded = upgraded
  }

  /** Throws `PortInUse` or `CannotListen`. */
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
    // Connections that only wait for another request make room for those that bring one.
    server.on('drop', () => server.closeIdleConnections())
    if (options.upgrade !== undefined) {
      server.on('upgrade', (request, socket, head) => {
        upgraded.add(socket)
        socket.on('close', () => upgraded.delete(socket))
        // From here on nobody else listens, and a reset without a listener would end the process.
        socket.on('error', () => socket.destroy())
        void serveUpgrade(options, request, socket, head)
      })
    }
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, endpoint, address, port)))
      server.listen({ port, ...(!EVERYWHERE.has(address) && { host: address }) }, () => resolve())
    })
    server.removeAllListeners('error')
    // A connection that could not be taken, when the process is out of file descriptors for example.
    server.on('error', (error) => options.fault(error))
    const bound = server.address()
    const actual = typeof bound === 'object' && bound !== null ? bound.port : port
    return new HttpServer(server, address, actual, upgraded)
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  }

  /** Ends every connection and frees the port. */
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
  // Writing to a client that has gone is no failure of ours.
  response.on('error', () => response.destroy())
  const target = targetOf(request.url)
  try {
    if (target === undefined) refuse(options, response, 400, 'the request’s target is no path')
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
  const target = targetOf(request.url)
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

/** Answers a wanted upgrade in plain HTTP, and ends the connection. */
export const refuseUpgrade = (socket: Duplex, code: number, reason: string, body = ''): void => {
  const text = reason.replaceAll(/[^\x20-\x7e]/g, ' ') || 'Refused'
  const head = `HTTP/1.1 ${code} ${text}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  // What still comes is read and thrown away; a client that never closes its side does not keep the connection.
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
