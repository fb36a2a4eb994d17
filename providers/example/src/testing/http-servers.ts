import type { HttpRequest, HttpResponse, Send } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { NoSuchServerError, OutOfStockError, type ServerRequest } from '../server-api.ts'
import type { FakeServers } from './fake-servers.ts'

const TOKEN_SECONDS = 600
const PAGE = 2

const answer = (status: number, body: object = {}): HttpResponse => ({
  status,
  headers: {},
  text: JSON.stringify(body),
})

/** Serves the fake servers through the HTTP API of the cloud. Tokens expire after ten minutes, and pages have two items. */
export class HttpServers {
  readonly requests: string[] = []
  /** Responses for the next requests, in place of the real ones. */
  readonly next: HttpResponse[] = []
  readonly #servers: FakeServers
  readonly #clock: Clock
  readonly #key: string
  #token = { value: '', endsAt: 0 }

  constructor(servers: FakeServers, clock: Clock, key: string) {
    this.#servers = servers
    this.#clock = clock
    this.#key = key
  }

  /** Invalidates all tokens. */
  revoke(): void {
    this.#token = { value: '', endsAt: 0 }
  }

  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    this.requests.push(`${request.method} ${request.url.pathname}${request.url.search}`)
    return this.next.shift() ?? this.#answer(request, signal)
  }

  async #answer(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { method, url, headers, body = '{}' } = request
    if (`${method} ${url.pathname}` === 'POST /v1/tokens') {
      if (JSON.parse(body).key !== this.#key) return answer(403, { error: 'no such key' })
      this.#token = { value: `token-${this.#clock.now()}`, endsAt: this.#clock.now() + TOKEN_SECONDS * 1_000 }
      return answer(200, { token: this.#token.value, expiresInSeconds: TOKEN_SECONDS })
    }
    const isKnown = headers?.['authorization'] === `Bearer ${this.#token.value}` && this.#token.value !== ''
    if (!isKnown || this.#clock.now() >= this.#token.endsAt) return answer(401, { error: 'no such token' })
    const [id] = /(?<=^\/v1\/servers\/)[^/]+$/.exec(url.pathname) ?? []
    try {
      switch (method) {
        case 'POST':
          return answer(201, await this.#servers.create(JSON.parse(body) as ServerRequest, signal))
        case 'DELETE':
          await this.#servers.stop(id ?? '', signal)
          return answer(202)
        default:
          return id === undefined
            ? await this.#page(url, signal)
            : answer(200, await this.#servers.describe(id, signal))
      }
    } catch (error) {
      if (error instanceof NoSuchServerError) return answer(404, { error: error.message })
      if (error instanceof OutOfStockError) return answer(409, { error: 'OutOfStock' })
      throw error
    }
  }

  async #page({ searchParams }: URL, signal: AbortSignal): Promise<HttpResponse> {
    const [key = '', value = ''] = (searchParams.get('tag') ?? '').split('=')
    const servers = await this.#servers.list([key, value], signal)
    const from = Number(searchParams.get('page') ?? 0)
    const next = from + PAGE < servers.length ? { next: `${from + PAGE}` } : {}
    return answer(200, { servers: servers.slice(from, from + PAGE), ...next })
  }
}
