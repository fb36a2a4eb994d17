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

/** Node calls back with an error alone when there is no socket; its types say otherwise. */
const failed = (connected: Connected, error: unknown): void =>
  (connected as (error: Error) => void)(error instanceof Error ? error : new Error(String(error)))

class Socks5Agent extends http.Agent {
  readonly #proxy: URL

  constructor(options: http.AgentOptions, proxy: URL) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(options: http.ClientRequestArgs, connected: Connected): undefined {
    connectThroughSocks5(this.#proxy, options.host ?? '', Number(options.port ?? 80)).then(
      (socket) => connected(null, socket),
      (error: unknown) => failed(connected, error),
    )
    return undefined
  }
}

class Socks5TlsAgent extends https.Agent {
  readonly #proxy: URL

  constructor(options: https.AgentOptions, proxy: URL) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(options: https.RequestOptions, connected: Connected): undefined {
    connectThroughSocks5(this.#proxy, options.host ?? '', Number(options.port ?? 443)).then(
      (socket) => {
        const secure = connectTls({ ...(options as ConnectionOptions), socket })
        secure.once('secureConnect', () => connected(null, secure))
        secure.once('error', (error) => failed(connected, error))
      },
      (error: unknown) => failed(connected, error),
    )
    return undefined
  }
}

const agentFor = (isTls: boolean, proxy: string | undefined, tls: ServerTls): http.Agent => {
  const options = { keepAlive: true, ...(isTls && tls) }
  if (proxy?.startsWith('socks5')) {
    return isTls ? new Socks5TlsAgent(options, new URL(proxy)) : new Socks5Agent(options, new URL(proxy))
  }
  const proxied = { ...options, ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }) }
  return isTls ? new https.Agent(proxied) : new http.Agent(proxied)
}

/**
 * The connections to one API server, straight or through the proxy of the connection. When a certificate changes, new
 * connections are made with it, and the old ones end with their requests.
 */
export class ApiAgent {
  readonly #connection: Connection
  readonly #tls: CurrentTls | undefined
  readonly #agents: http.Agent[] = []
  #settings: TlsSettings | undefined
  #certificate: ClientCertificate | undefined

  /** Without a clock certificates are not read again. */
  constructor(connection: Connection, clock: Clock | undefined) {
    this.#connection = connection
    this.#tls = clock && new CurrentTls(connection, clock)
  }

  /** The agent for the certificates as they are now; `certificate` is that of the credentials, if they hold one. */
  current(certificate: ClientCertificate | undefined): http.Agent {
    const settings = this.#tls?.current() ?? this.#connection.tls
    const [known] = this.#agents
    if (known !== undefined && settings === this.#settings && certificate?.cert === this.#certificate?.cert)
      return known
    this.#settings = settings
    this.#certificate = certificate
    const { authorities, proxyUrl, server } = this.#connection
    const isTls = server.startsWith('https:')
    const made = agentFor(isTls, proxyUrl, isTls ? serverTls(settings, certificate, authorities) : {})
    this.#agents.unshift(made)
    return made
  }

  /** A request failed: perhaps there are other certificates now. */
  doubt(): void {
    this.#tls?.doubt()
  }

  /** Ends the connections that wait for another request; each other one ends with its own. */
  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }
}
