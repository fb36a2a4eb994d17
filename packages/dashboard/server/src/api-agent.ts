import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import {
  type ClientCertificate,
  type Clock,
  type Connection,
  CurrentTls,
  type ServerTls,
  serverTls,
  type TlsSettings,
} from '@kerf/runtime'
import { connectThroughSocks5 } from './socks5-socket.ts'

type Connected = (error: Error | null, socket: Duplex) => void

/** Passes an error to the callback. Node allows an error without a socket, but its types do not. */
const failed = (connected: Connected, error: unknown): void => (connected as (error: unknown) => void)(error)

/** Returns a function that connects an agent through a SOCKS5 proxy, with TLS inside if the server uses TLS. */
const throughSocks5 =
  (proxy: URL, isTls: boolean) =>
  (options: https.RequestOptions, connected: Connected): undefined => {
    // Node sets the host and the port, even if they are the defaults of the protocol.
    connectThroughSocks5(proxy, String(options.host), Number(options.port)).then(
      (socket) => {
        if (!isTls) return connected(null, socket)
        const secure = connectTls({ ...(options as ConnectionOptions), socket })
        secure.once('secureConnect', () => connected(null, secure))
        secure.once('error', (error) => failed(connected, error))
      },
      (error: unknown) => failed(connected, error),
    )
  }

const agentFor = (isTls: boolean, proxy: string | undefined, tls: ServerTls): http.Agent => {
  const socks5 = proxy?.startsWith('socks5') ? new URL(proxy) : undefined
  const options = {
    keepAlive: true,
    ...(isTls && tls),
    ...(proxy !== undefined && socks5 === undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  }
  const agent = isTls ? new https.Agent(options) : new http.Agent(options)
  if (socks5 !== undefined) agent.createConnection = throughSocks5(socks5, isTls)
  return agent
}

/** Ends the idle connections of an agent. Other connections end after their current request. */
const retire = (agent: http.Agent): void => {
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
}

/**
 * The connections to one API server, direct or through a proxy. If a certificate changes, new connections use the new
 * certificate, and old connections end after their current request.
 */
export class ApiAgent {
  readonly #connection: Connection
  readonly #tls: CurrentTls | undefined
  #agent: http.Agent | undefined
  #settings: TlsSettings | undefined
  #certificate: ClientCertificate | undefined

  /** If `clock` is undefined, certificate files are read only once and never checked for changes. */
  constructor(connection: Connection, clock: Clock | undefined) {
    this.#connection = connection
    this.#tls = clock && new CurrentTls(connection, clock)
  }

  /**
   * Returns the agent for the current certificates. `certificate` is the client certificate from the credentials, if
   * there is one.
   */
  current(certificate: ClientCertificate | undefined): http.Agent {
    const settings = this.#tls?.current() ?? this.#connection.tls
    const known = this.#agent
    if (known !== undefined && settings === this.#settings && certificate?.cert === this.#certificate?.cert)
      return known
    this.#settings = settings
    this.#certificate = certificate
    const { authorities, proxyUrl, server } = this.#connection
    const isTls = server.startsWith('https:')
    if (known !== undefined) retire(known)
    this.#agent = agentFor(isTls, proxyUrl, isTls ? serverTls(settings, certificate, authorities) : {})
    return this.#agent
  }

  /** Checks the certificate files again. Called after a request failed. */
  doubt(): void {
    this.#tls?.doubt()
  }

  /**
   * Ends all connections of the current agent except upgraded ones, such as WebSockets. Requests on connections of an older agent end when
   * the browser's connection ends.
   */
  close(): void {
    this.#agent?.destroy()
  }
}
