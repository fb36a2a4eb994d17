import type { Agent, Dispatcher } from 'undici'

/** TLS with the server behind the proxy. */
export interface ServerTls {
  readonly ca?: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
}

/** What says how many connections there are, and how long anything may take. */
export type PoolOptions = Omit<Agent.Options, 'connect' | 'factory'>

/**
 * Connections through a proxy that speaks HTTP or SOCKS5; its URL may name user and password. Servers with TLS are reached
 * by a tunnel; `tunnelsAll` has those without TLS reached so too.
 */
export const throughProxy = async (
  proxy: string,
  pool: PoolOptions,
  tls: ServerTls,
  options: { readonly tunnelsAll: boolean },
): Promise<Dispatcher> => {
  const { ProxyAgent, Socks5ProxyAgent } = await import('./agents.ts')
  if (proxy.startsWith('socks5')) return new Socks5ProxyAgent(proxy, { ...pool, requestTls: tls })
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: tls, proxyTunnel: options.tunnelsAll })
}
