import type { Socket } from 'node:net'
import type { Milliseconds, Seconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import type { TlsSettings } from '../connection/connection.ts'
import type { ClientCertificate } from '../connection/credentials.ts'
import type { CurrentTls } from '../connection/current-tls.ts'
import { keptPromise } from '../limits/kept-promise.ts'
import { serverTls } from './server-tls.ts'
import {
  DEFAULT_SILENCE,
  type HttpVersion,
  httpVersion,
  type SilenceLimits,
  watchForSilence,
} from './silent-connection.ts'
import { straight } from './straight.ts'
import { throughProxy } from './through-proxy.ts'

/**
 * The maximum number of connections for calls. Watches have their own connections. HTTP/2 uses one connection for every hundred
 * concurrent calls.
 */
const CALL_CONNECTIONS = 128
/** How long an idle connection is kept, even if the server would keep it open for longer. */
const IDLE_TIMEOUT = 30_000
/** The flow-control windows of HTTP/2. They are large, so that one slow reader does not block the others. */
const WINDOWS = { initialWindowSize: 4 * 2 ** 20, connectionWindowSize: 64 * 2 ** 20 }
const CONNECT_TIMEOUT = 10_000
/** The default response timeout. It is longer than the API server's own limit of 60 s for a request. */
const RESPONSE_TIMEOUT = 75_000

type Purpose = 'call' | 'watch'

export interface TransportOptions {
  readonly tls: CurrentTls
  /** See `Connection`. */
  readonly authorities?: (() => readonly string[]) | undefined
  readonly proxyUrl?: string | undefined
  /** How long the server may take to send the next part of a response. Default 75 s. */
  readonly answerTimeout?: Milliseconds | undefined
  /** Whether to use HTTP/1.1 even if the server offers HTTP/2. Default false. */
  readonly http1Only?: boolean | undefined
  readonly silence?: SilenceLimits | undefined
  /** Called before a connection is closed because nothing was received on it. */
  readonly onSilence: (version: HttpVersion) => void
}

/**
 * The connections to one API server, direct or through a proxy. They use HTTP/2 if the server offers it, and otherwise HTTP/1.1 with
 * keep-alive. Kerf closes connections on which it receives nothing (`silent-connection.ts`). When a certificate changes, new connections
 * use the new one, and old connections end after their last request.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #answerTimeout: Milliseconds
  readonly #silence: SilenceLimits
  #certificate: ClientCertificate | undefined
  #tls: TlsSettings
  #dispatchers = new Map<Purpose, Promise<Dispatcher>>()
  #version: HttpVersion | undefined

  constructor(options: TransportOptions) {
    this.#options = options
    this.#tls = options.tls.current()
    this.#answerTimeout = options.answerTimeout ?? RESPONSE_TIMEOUT
    this.#silence = options.silence ?? DEFAULT_SILENCE
  }

  /**
   * Returns the longest duration of a watch, or `undefined` if there is no limit. HTTP/1.1 has no pings, so only the end of a watch
   * shows that the connection still works.
   */
  get longestWatch(): Seconds | undefined {
    return this.#version === 'h2' ? undefined : this.#silence.watchSeconds
  }

  /** Returns whether new connections present a client certificate. */
  get hasCertificate(): boolean {
    return this.#certificate !== undefined || this.#tls.cert !== undefined
  }

  /** Returns the time limits for the start of a response, and for pauses in its body. 0 means no limit. */
  timeouts(purpose: Purpose): { readonly headersTimeout: Milliseconds; readonly bodyTimeout: Milliseconds } {
    return { headersTimeout: this.#answerTimeout, bodyTimeout: purpose === 'call' ? this.#answerTimeout : 0 }
  }

  /** Returns the pool for a purpose. `certificate` is the current client certificate of the credentials, if they have one. */
  dispatcher(purpose: Purpose, certificate?: ClientCertificate): Promise<Dispatcher> {
    const tls = this.#options.tls.current()
    if (certificate?.cert !== this.#certificate?.cert || tls !== this.#tls) {
      this.#certificate = certificate
      this.#tls = tls
      void this.#end(this.#dispatchers)
      this.#dispatchers = new Map()
    }
    return keptPromise(this.#dispatchers, purpose, () => this.#make(purpose))
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const dispatchers = [...this.#dispatchers.values()]
    this.#dispatchers = new Map()
    await Promise.all(dispatchers.map(async (dispatcher) => (await ifMade(dispatcher))?.destroy()))
  }

  async #make(purpose: Purpose): Promise<Dispatcher> {
    const { authorities, http1Only, proxyUrl } = this.#options
    const tls = serverTls(this.#tls, this.#certificate, authorities)
    const pool = {
      allowH2: http1Only !== true,
      pipelining: 1,
      connections: purpose === 'call' ? CALL_CONNECTIONS : null,
      ...this.timeouts(purpose),
      keepAliveTimeout: IDLE_TIMEOUT,
      keepAliveMaxTimeout: IDLE_TIMEOUT,
      h2Options: { pingInterval: this.#silence.pingEvery, ...WINDOWS },
    }
    const onConnection = (socket: Socket): void => this.#connected(socket)
    if (proxyUrl !== undefined) return throughProxy(proxyUrl, pool, tls, { tunnelsAll: true, onConnection })
    return straight(pool, tls, Math.min(CONNECT_TIMEOUT, this.#answerTimeout), onConnection)
  }

  #connected(socket: Socket): void {
    this.#version = httpVersion(socket)
    watchForSilence(socket, this.#silence, this.#options.onSilence)
  }

  async #end(dispatchers: ReadonlyMap<Purpose, Promise<Dispatcher>>): Promise<void> {
    for (const dispatcher of dispatchers.values()) await (await ifMade(dispatcher))?.close().catch(() => {})
  }
}

/** Returns the dispatcher, or undefined if it could not be made. The caller that asked for it has received the error. */
const ifMade = (dispatcher: Promise<Dispatcher>): Promise<Dispatcher | undefined> => dispatcher.catch(() => undefined)
