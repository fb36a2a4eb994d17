import type { Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { ServerTls } from './server-tls.ts'

/** The pool options for the HTTP version, the number of connections and timeouts. */
export type PoolOptions = Omit<Agent.Options, 'connect' | 'factory' | 'allowH2'> & { readonly allowH2: boolean }

/** Called with each connection to a server, after it is established, including the TLS handshake. */
export type OnConnection = (socket: Socket) => void

/** Returns a connector that calls `onConnection` with the connections that `connect` establishes. */
export const reporting =
  (connect: buildConnector.connector, onConnection: OnConnection | undefined): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome
      if (socket) onConnection?.(socket)
      callback(...outcome)
    })

/**
 * Creates connections through an HTTP or SOCKS5 proxy. The proxy URL may contain a user and a password. Connections to servers with TLS use
 * a tunnel. With `tunnelsAll`, connections to servers without TLS also use a tunnel. Connections through SOCKS5 use HTTP/1.1, and
 * `onConnection` receives the connection to the proxy.
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
  const requestTls = { ...tls, preferH2: pool.allowH2 }
  // As in Go, a proxy with TLS is verified with the same trust settings as the server.
  const { servername: _, ...proxyTls } = tls
  return new ProxyAgent({ ...pool, uri: proxy, requestTls, proxyTls, proxyTunnel: tunnelsAll, factory })
}

const isConnector = (value: unknown): value is buildConnector.connector => typeof value === 'function'
