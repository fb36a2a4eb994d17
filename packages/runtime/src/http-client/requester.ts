import { type Milliseconds, parseTime, type Seconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import { type Clock, sleep } from '../clock/clock.ts'
import type { ServerTimeObserver } from '../clock/server-time.ts'
import type { Connection } from '../connection/connection.ts'
import { CurrentTls } from '../connection/current-tls.ts'
import { proxyFor } from '../connection/proxy.ts'
import { shownServer } from '../errors/shown-server.ts'
import type { ApiError } from '../kube-client/api-error.ts'
import type { WriteGate } from '../kube-client/write-gate.ts'
import { backoffAfter } from '../limits/backoff.ts'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'
import type { Logger } from '../logging/logger.ts'
import type { Random } from '../random/random.ts'
import { explainRefusal } from './refused-credentials.ts'
import type { RequestMetrics, RequestSubject } from './request-metrics.ts'
import type { HttpVersion, SilenceLimits } from './silent-connection.ts'
import { errorOfResponse } from './status.ts'
import { Transport } from './transport.ts'
import { isConnectionReset, unreachable } from './unreachable.ts'

export interface RequesterOptions {
  readonly connection: Connection
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics?: RequestMetrics
  /** The client's own rate limit (`KUBE_CLIENT_QPS` and `KUBE_CLIENT_BURST`). */
  readonly rate: Rate
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives the `Date` header of each response. */
  readonly serverTime?: ServerTimeObserver
  /**
   * How long the server may take to send the next part of a response. Default 75 s, which is more than the API server's own limit
   * of 60 s for a request.
   */
  readonly answerTimeout?: Milliseconds | undefined
  /** See `TransportOptions`. */
  readonly http1Only?: boolean | undefined
  readonly silence?: SilenceLimits | undefined
  /** Checked before each attempt of a request that changes something. */
  readonly gate?: WriteGate | undefined
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its query. */
  readonly path: string
  readonly subject: RequestSubject
  readonly body?: object
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  readonly watch?: boolean
  /** Whether the caller gets a 429 as the result. If so, the request is not retried. */
  readonly tooManyIsFinal?: boolean
}

/** The API groups of reviews such as TokenReview. Creating a review only queries the API server, and stores nothing. */
const REVIEW_GROUPS: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io'])

const changesSomething = ({ method, subject }: ApiRequest): boolean =>
  method !== 'GET' && !REVIEW_GROUPS.has(subject.group)

/** The body of a response, which can be read once, as bytes or as text. */
export type ResponseBody = AsyncIterable<Uint8Array> & { text(): Promise<string> }

/** How often a request is retried after an error that does not depend on the request. */
const RETRIES = 3
/** The pauses after a lost connection. They need no maximum, because the number of retries limits them. */
const RESET_BACKOFF = { base: 100, max: Number.POSITIVE_INFINITY, jitter: 0.5 }
/**
 * The longest `Retry-After` that the client waits for. If it is longer, the client throws the error, and callers use their own back-off.
 */
const LONGEST_RETRY_AFTER: Milliseconds = 10_000

/**
 * Sends requests to one API server. It authenticates requests and limits their rate. It retries reads after a lost connection, and all
 * requests that the server declined with `Retry-After`. After a 401, it retries once with renewed credentials.
 */
export class Requester {
  readonly #options: RequesterOptions
  readonly #transport: Transport
  readonly #tls: CurrentTls
  readonly #bucket: TokenBucket
  readonly #prefix: string

  constructor(options: RequesterOptions) {
    const { connection, env } = options
    this.#options = options
    const proxy = connection.proxyUrl ?? proxyFor(connection.server, env)
    const { answerTimeout, http1Only, silence } = options
    // For HTTP/2, undici joins the values of a header into one, and the API server would read them as a single group.
    const hasLists = Object.values(connection.headers ?? {}).some((value) => typeof value !== 'string')
    const isTls = connection.server.startsWith('https:')
    this.#tls = new CurrentTls(connection, options.clock)
    this.#transport = new Transport({
      ...{ tls: this.#tls, proxyUrl: proxy, answerTimeout, silence },
      http1Only: http1Only === true || hasLists,
      authorities: isTls ? connection.authorities : undefined,
      onSilence: (version) => this.#reportSilence(version),
    })
    this.#bucket = new TokenBucket(options.clock, options.rate)
    this.#prefix = new URL(connection.server).pathname.replace(/\/$/, '')
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  /** See `Transport`. */
  get longestWatch(): Seconds | undefined {
    return this.#transport.longestWatch
  }

  /** Returns the body of a successful response. Throws `ApiError`, or the signal's reason if aborted. */
  async send(request: ApiRequest): Promise<ResponseBody> {
    const { clock, connection, random } = this.#options
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      await this.#bucket.take(request.signal)
      const outcome = await this.#attempt(request)
      if (outcome.kind === 'body') return outcome.body
      request.signal?.throwIfAborted()
      const { error } = outcome
      if (error.code === 0 || error.code === 401) this.#tls.doubt()
      if (error.code === 401 && !renewed) {
        renewed = true
        connection.credentials.invalidate()
        continue
      }
      const wait = attempt > RETRIES ? undefined : this.#retryAfter(request, error, attempt, random)
      if (wait === undefined) throw error
      await sleep(clock, wait, request.signal)
    }
  }

  /** Reads a whole body as text. Throws `ApiError` if the connection is lost before its end. */
  async text(body: ResponseBody, signal?: AbortSignal): Promise<string> {
    try {
      return await body.text()
    } catch (error) {
      signal?.throwIfAborted()
      throw unreachable(this.#options.connection.server, error)
    }
  }

  /** Reads a body chunk by chunk, for long-lived streams. */
  async *chunks(body: ResponseBody, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      signal?.throwIfAborted()
      throw unreachable(this.#options.connection.server, error)
    }
  }

  async #attempt(
    request: ApiRequest,
  ): Promise<{ kind: 'body'; body: ResponseBody } | { kind: 'error'; error: ApiError }> {
    const { clock, connection, metrics } = this.#options
    const credential = await connection.credentials.current()
    const dispatcher = await this.#transport.dispatcher(request.watch ? 'watch' : 'call', credential.certificate)
    // The gate is checked after all steps that may wait, directly before the request is sent.
    if (changesSomething(request)) this.#options.gate?.check()
    const began = clock.monotonic()
    let code = 0
    try {
      const answer = await dispatcher.request(this.#dispatch(request, credential.authorization))
      code = answer.statusCode
      const date = parseTime(String(answer.headers['date'] ?? ''))
      if (date !== undefined) this.#options.serverTime?.observeHeader(date, began)
      if (code >= 200 && code < 300) return { kind: 'body', body: answer.body }
      const retryAfter = Number.parseInt(String(answer.headers['retry-after'] ?? ''), 10)
      const text = await answer.body.text()
      const asked = `${request.method} ${request.path.split('?')[0]}`
      const error = errorOfResponse(code, text, asked, Number.isNaN(retryAfter) ? undefined : retryAfter)
      const hasCredentials = credential.authorization !== undefined || this.#transport.hasCertificate
      return { kind: 'error', error: explainRefusal(error, connection, hasCredentials) }
    } catch (error) {
      request.signal?.throwIfAborted()
      return { kind: 'error', error: unreachable(connection.server, error) }
    } finally {
      metrics?.answered(request.subject, request.method, code, clock.monotonic() - began)
    }
  }

  #dispatch(request: ApiRequest, authorization: string | undefined): Dispatcher.RequestOptions {
    const { connection, userAgent } = this.#options
    return {
      origin: new URL(connection.server).origin,
      path: `${this.#prefix}${request.path}`,
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...connection.headers,
        ...(authorization !== undefined && { authorization }),
        ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      ...(request.signal !== undefined && { signal: request.signal }),
      ...this.#transport.timeouts(request.watch ? 'watch' : 'call'),
    }
  }

  #reportSilence(version: HttpVersion): void {
    const { connection, logger, metrics } = this.#options
    metrics?.silent(version)
    logger.warn('closed a silent connection to the API server', {
      server: shownServer(connection.server),
      httpVersion: version,
    })
  }

  #retryAfter(request: ApiRequest, error: ApiError, attempt: number, random: Random): Milliseconds | undefined {
    if (request.method === 'GET' && isConnectionReset(error)) return backoffAfter(RESET_BACKOFF, attempt, random)
    const seconds = error.details.retryAfterSeconds
    if (seconds === undefined || seconds * 1_000 > LONGEST_RETRY_AFTER) return undefined
    // The server does not process a request that it declines with 429. After a 503, only reads are safe to retry.
    const isSafe = error.code === 429 ? request.tooManyIsFinal !== true : error.code === 503 && request.method === 'GET'
    return isSafe ? Math.max(1, seconds) * 1_000 : undefined
  }
}
