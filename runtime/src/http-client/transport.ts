import type { Milliseconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import type { Connection } from '../connection/connection.ts'
import type { ClientCertificate } from '../connection/credentials.ts'
import { straight } from './straight.ts'
import { throughProxy } from './through-proxy.ts'

/** Connections kept for calls that end; watches have their own, one each. */
const CALL_CONNECTIONS = 128
const CONNECT_TIMEOUT = 10_000
/** Longer than the API server's own limit of 60 s for a request. */
const RESPONSE_TIMEOUT = 75_000

type Purpose = 'call' | 'watch'

/**
 * The sockets to one API server: keep-alive pools over HTTP/1.1, straight or through a proxy. When the client certificate
 * changes, new connections are made with the new one and the old ones end with their last request.
 */
export class Transport {
  readonly #connection: Connection
  readonly #proxyUrl: string | undefined
  readonly #answerTimeout: Milliseconds
  #certificate: ClientCertificate | undefined
  #dispatchers = new Map<Purpose, Promise<Dispatcher>>()

  constructor(connection: Connection, proxyUrl: string | undefined, answerTimeout: Milliseconds = RESPONSE_TIMEOUT) {
    this.#connection = connection
    this.#answerTimeout = answerTimeout
    this.#proxyUrl = proxyUrl
  }

  /** The pool for a purpose; `certificate` is what the credentials hold at the moment, if they hold one. */
  dispatcher(purpose: Purpose, certificate?: ClientCertificate): Promise<Dispatcher> {
    if (certificate?.cert !== this.#certificate?.cert) {
      this.#certificate = certificate
      void this.#end(this.#dispatchers)
      this.#dispatchers = new Map()
    }
    const known = this.#dispatchers.get(purpose)
    if (known !== undefined) return known
    const made = this.#make(purpose)
    this.#dispatchers.set(purpose, made)
    return made
  }

  /** Cuts every connection. */
  async close(): Promise<void> {
    const dispatchers = [...this.#dispatchers.values()]
    this.#dispatchers = new Map()
    await Promise.all(dispatchers.map(async (dispatcher) => (await dispatcher).destroy()))
  }

  async #make(purpose: Purpose): Promise<Dispatcher> {
    const { ca, cert, key, serverName, insecure } = this.#connection.tls
    const certificate = this.#certificate ?? (cert && key ? { cert, key } : undefined)
    const tls = {
      ...(ca !== undefined && { ca }),
      ...certificate,
      ...(serverName !== undefined && { servername: serverName }),
      ...(insecure === true && { rejectUnauthorized: false }),
    }
    const pool = {
      allowH2: false,
      pipelining: 1,
      connections: purpose === 'call' ? CALL_CONNECTIONS : null,
      headersTimeout: this.#answerTimeout,
      bodyTimeout: purpose === 'call' ? this.#answerTimeout : 0,
      keepAliveTimeout: 30_000,
    }
    if (this.#proxyUrl !== undefined) return throughProxy(this.#proxyUrl, pool, tls, { tunnelsAll: true })
    return straight(pool, tls, Math.min(CONNECT_TIMEOUT, this.#answerTimeout))
  }

  async #end(dispatchers: ReadonlyMap<Purpose, Promise<Dispatcher>>): Promise<void> {
    for (const dispatcher of dispatchers.values()) await (await dispatcher).close().catch(() => {})
  }
}
