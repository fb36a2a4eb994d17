import type { Milliseconds } from '@kerf/apis'
import { straight, throughProxy } from '@kerf/runtime'
import type { Network } from './network.ts'

type Pool = Awaited<ReturnType<typeof throughProxy>>

export interface ConnectionLimits {
  /** How long an answer may be silent. */
  readonly requestTimeout: Milliseconds
  readonly connectionTimeout: Milliseconds
  /** Connections to each server at once. */
  readonly maxSockets: number
}

/** Keep-alive connections to the servers of a cloud, each through the proxy that its server has, or directly. */
export class Connections {
  readonly #network: Network
  readonly #limits: ConnectionLimits
  readonly #pools = new Map<string, Promise<Pool>>()

  constructor(network: Network, limits: ConnectionLimits) {
    this.#network = network
    this.#limits = limits
  }

  /** The proxy for a server without user and password, as texts may name it. */
  proxyNameFor(server: URL): string | undefined {
    const proxy = this.#network.proxyFor(server.href)
    if (proxy === undefined) return undefined
    const { protocol, host } = new URL(proxy)
    return `${protocol}//${host}`
  }

  /** What requests to the server are sent with. */
  to(server: URL): Promise<Pool> {
    const proxy = this.#network.proxyFor(server.href)
    const known = this.#pools.get(proxy ?? '')
    if (known !== undefined) return known
    const made = this.#make(proxy)
    this.#pools.set(proxy ?? '', made)
    return made
  }

  /** Cuts every connection. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map(async (pool) => (await pool).destroy()))
  }

  #make(proxy: string | undefined): Promise<Pool> {
    const { requestTimeout, connectionTimeout, maxSockets } = this.#limits
    const { ca } = this.#network
    const tls = ca === undefined ? {} : { ca }
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
