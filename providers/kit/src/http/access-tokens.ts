import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { SingleFlight } from '../caching/single-flight.ts'
import type { HttpRequest } from './exchange.ts'
import type { Credentials } from './http-client.ts'

/** An access token of a cloud. */
export interface AccessToken {
  readonly value: string
  /** When the token expires, on the system clock. Absent if it does not expire. */
  readonly expiresAt?: Milliseconds
}

/**
 * How long before its expiry a token is replaced, in milliseconds. The margin is necessary because clocks differ and requests take time.
 */
const MARGIN: Milliseconds = 60_000

/** Credentials that use an access token. The token is requested on first use, shared by all requests, and replaced before it expires. */
export class AccessTokens implements Credentials {
  readonly #clock: Clock
  readonly #ask: (signal: AbortSignal) => Promise<AccessToken>
  readonly #headersOf: (token: string) => Readonly<Record<string, string>>
  readonly #asking = new SingleFlight<AccessToken>()
  #token: AccessToken | undefined

  /** `headersOf` returns the headers that contain the token. Default: a bearer token (RFC 6750). */
  constructor(
    clock: Clock,
    ask: (signal: AbortSignal) => Promise<AccessToken>,
    headersOf: (token: string) => Readonly<Record<string, string>> = (token) => ({ authorization: `Bearer ${token}` }),
  ) {
    this.#clock = clock
    this.#ask = ask
    this.#headersOf = headersOf
  }

  async authorize(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    const { value } = await this.#current(signal)
    return { ...request, headers: { ...request.headers, ...this.#headersOf(value) } }
  }

  /**
   * Drops the token if the refused request contained it. A request with an earlier token may be refused after the token was replaced. In
   * that case, the new token is kept.
   */
  invalidate(refused: HttpRequest): void {
    const current = Object.entries(this.#token === undefined ? {} : this.#headersOf(this.#token.value))
    const sent = new Map(Object.entries(refused.headers ?? {}))
    if (current.every(([name, value]) => sent.get(name) === value)) this.#token = undefined
  }

  async #current(signal: AbortSignal): Promise<AccessToken> {
    const { value, expiresAt = Number.POSITIVE_INFINITY } = this.#token ?? { value: '', expiresAt: 0 }
    if (this.#token !== undefined && this.#clock.now() < expiresAt - MARGIN) return { value, expiresAt }
    this.#token = await this.#asking.run('', this.#ask, signal)
    return this.#token
  }
}
