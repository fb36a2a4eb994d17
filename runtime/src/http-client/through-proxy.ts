import type { Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { ServerTls } from './server-tls.ts'

/** What says how many connections there are, and how long anything may take. */
export type PoolOptions = Omit<Agent.Options, 'connect' | 'factory'>

/** Called with each connection to a server when it has been made, after the handshake of TLS. */
export type OnConnection = (socket: Socket) => void

/** `connect`, which also calls `onConnection`. */
export const reporting =
  (connect: buildConnector.connector, onConnection: OnConnection | undefined): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome
      if (socket) onConnection?.(socket)
      callback(...outcome)
    })

/**
 * Connections through a proxy that speaks HTTP or SOCKS5; its URL may name user and password. Servers with TLS are reached
 * by a tunnel; `tunnelsAll` has those without TLS reached so too. Through SOCKS5 the connections speak HTTP/1.1, and what
 * `onConnection` gets is the connection to the proxy.
 */
export const throughProxy = async (
  proxy: string,
  pool: PoolOptions,
  tls: ServerTls,
  options: { readonly tunnelsAll: boolean; readonly onConnection?: OnConnection },
): Promise<Dispatcher> => {
  const { buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } = await import('./agents.ts')
  const { onConnection, tunnelsAll } = options
  if (proxy.startsWith('socks5')) {
    const { hostname } = new URL(proxy)
    const connect = reporting(buildConnector({ servername: hostname, allowH2: false }), onConnection)
    return new Socks5ProxyAgent(proxy, { ...pool, requestTls: tls, connect })
  }
  const factory = (origin: string | URL, opts: object): Dispatcher => {
    const made: { readonly connect?: unknown } = opts
    const { connect } = made
    return new Pool(origin, {
      ...opts,
      ...(isConnector(connect) && { connect: reporting(connect, onConnection) }),
    })
  }
  const requestTls = { ...tls, preferH2: pool.allowH2 ?? true }
  // As for Go, what is trusted of the server is trusted of a proxy with TLS too.
  const { servername: _, ...proxyTls } = tls
  return new ProxyAgent({ ...pool, uri: proxy, requestTls, proxyTls, proxyTunnel: tunnelsAll, factory })
}

const isConnector = (value: unknown): value is buildConnector.connector => typeof value === 'function'
