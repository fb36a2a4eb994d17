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

/** Makes the connections of an agent through a SOCKS5 proxy, with TLS inside if the server has it. */
const throughSocks5 =
  (proxy: URL, isTls: boolean) =>
  (options: https.RequestOptions, connected: Connected): undefined => {
    connectThroughSocks5(proxy, options.host ?? '', Number(options.port ?? (isTls ? 443 : 80))).then(
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

/** Ends the idle connections of an agent. Each of the others ends with its request. */
const retire = (agent: http.Agent): void => {
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
}

const isInUse = ({ sockets }: http.Agent): boolean => Object.keys(sockets).length > 0

/**
 * The connections to one API server, straight or through the proxy of the connection. When a certificate changes, new
 * connections are made with it, and the old ones end with their requests.
 */
export class ApiAgent {
  readonly #connection: Connection
  readonly #tls: CurrentTls | undefined
  /** The current agent, and older ones that still have requests. */
  #agents: readonly http.Agent[] = []
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
    if (known !== undefined) retire(known)
    this.#agents = [made, ...this.#agents.filter(isInUse)]
    return made
  }

  /** A request failed: perhaps there are other certificates now. */
  doubt(): void {
    this.#tls?.doubt()
  }

  /** Ends all connections, except those that were upgraded, such as WebSockets. */
  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }
}
