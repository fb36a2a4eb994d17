import type { Milliseconds } from '@kerf/apis'
import { keptPromise, straight, throughProxy } from '@kerf/runtime'
import type { Network } from './network.ts'

type Pool = Awaited<ReturnType<typeof throughProxy>>

export interface ConnectionLimits {
  /** The maximum time without data from the server. */
  readonly requestTimeout: Milliseconds
  readonly connectionTimeout: Milliseconds
  /** The maximum number of connections to each server. */
  readonly maxSockets: number
}

/** Keep-alive connections to the servers of a cloud, either direct or through a proxy. */
export class Connections {
  readonly #network: Network
  readonly #limits: ConnectionLimits
  readonly #pools = new Map<string, Promise<Pool>>()

  constructor(network: Network, limits: ConnectionLimits) {
    this.#network = network
    this.#limits = limits
  }

  /** Returns the proxy for a server, without user and password, for use in messages. Undefined if the server is reached directly. */
  proxyNameFor(server: URL): string | undefined {
    const proxy = this.#network.proxyFor(server.href)
    if (proxy === undefined) return undefined
    const { protocol, host } = new URL(proxy)
    return `${protocol}//${host}`
  }

  /** Returns the pool of connections to the server. */
  to(server: URL): Promise<Pool> {
    const proxy = this.#network.proxyFor(server.href)
    return keptPromise(this.#pools, proxy ?? '', () => this.#make(proxy))
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    // The caller that asked for a pool has received the error if it could not be made.
    await Promise.all(pools.map(async (pool) => (await pool.catch(() => undefined))?.destroy()))
  }

  #make(proxy: string | undefined): Promise<Pool> {
    const { requestTimeout, connectionTimeout, maxSockets } = this.#limits
    const { ca, isUnverified = false } = this.#network
    const tls = { ...(ca === undefined ? {} : { ca }), ...(isUnverified ? { rejectUnauthorized: false } : {}) }
    const pool = {
      allowH2: false,
      pipelining: 1,
      connections: maxSockets,
      headersTimeout: requestTimeout,
      bodyTimeout: requestTimeout,
    }
    if (proxy === undefined) return straight(pool, tls, connectionTimeout)
    return throughProxy(proxy, { ...pool, connectTimeout: connectionTimeout }, tls, { tunnelsAll: false })
  }
}
