import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { SingleFlight } from '../caching/single-flight.ts'
import type { HttpRequest } from './exchange.ts'
import type { Credentials } from './http-client.ts'

/** A token as a cloud gives it out. */
export interface AccessToken {
  readonly value: string
  /** On the clock of the day; nothing for one that does not end. */
  readonly expiresAt?: Milliseconds
}

/** A token is not used any more so long before its end: clocks differ, and requests take time. */
const MARGIN: Milliseconds = 60_000

/** Credentials that are a token: asked for when it is first needed, once for all, and again before it ends. */
export class AccessTokens implements Credentials {
  readonly #clock: Clock
  readonly #ask: (signal: AbortSignal) => Promise<AccessToken>
  readonly #headersOf: (token: string) => Readonly<Record<string, string>>
  readonly #asking = new SingleFlight<AccessToken>()
  #token: AccessToken | undefined

  /** `headersOf` says how requests hold the token; as a bearer token by default (RFC 6750). */
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

  invalidate(): void {
    this.#token = undefined
  }

  async #current(signal: AbortSignal): Promise<AccessToken> {
    const { value, expiresAt = Number.POSITIVE_INFINITY } = this.#token ?? { value: '', expiresAt: 0 }
    if (this.#token !== undefined && this.#clock.now() < expiresAt - MARGIN) return { value, expiresAt }
    this.#token = await this.#asking.run('', this.#ask, signal)
    return this.#token
  }
}
