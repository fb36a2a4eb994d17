import { AccessTokens, HttpClient, HttpError, type HttpResponse, readPages, type Send } from '@kerf/provider-kit'
import type { Clock, Random } from '@kerf/runtime'
import { NoSuchServerError, OutOfStockError, type Server, type ServerApi } from './server-api.ts'

export interface HttpServerApiOptions {
  readonly endpoint: string
  /** The key with which access tokens are requested. */
  readonly key: string
  readonly send: Send
  readonly clock: Clock
  readonly random: Random
}

interface Answers {
  readonly token: { readonly token: string; readonly expiresInSeconds: number }
  readonly server: Server
  readonly servers: { readonly servers: readonly Server[]; readonly next?: string }
}

const read = <Kind extends keyof Answers>(_kind: Kind, { text }: HttpResponse): Answers[Kind] => JSON.parse(text)

/** Converts a refusal of the cloud to the provider's error. */
const errorRefusal = (error: unknown): unknown => {
  if (!(error instanceof HttpError)) return error
  if (error.status === 404) return new NoSuchServerError(error.message, { cause: error })
  if (error.status === 409 && error.answer.text.includes('OutOfStock'))
    return new OutOfStockError(error.message, { cause: error })
  return error
}

/** Returns the calls of the cloud over HTTP: JSON, access tokens that expire, paged lists, and 409 for missing stock. */
export const httpServerApi = ({ endpoint, key, send, clock, random }: HttpServerApiOptions): ServerApi => {
  const to = (path: string): URL => new URL(path, endpoint)
  const headers = { 'content-type': 'application/json' }
  const login = new HttpClient({ send, clock, random })
  const credentials = new AccessTokens(clock, async (signal) => {
    const request = { method: 'POST', url: to('/v1/tokens'), headers, body: JSON.stringify({ key }) } as const
    const given = read('token', await login.call({ ...request, isRepeatable: true }, signal))
    return { value: given.token, expiresAt: clock.now() + given.expiresInSeconds * 1_000 }
  })
  const client = new HttpClient({ send, clock, random, credentials })
  const call: HttpClient['call'] = async (request, signal) => {
    try {
      return await client.call(request, signal)
    } catch (error) {
      throw errorRefusal(error)
    }
  }
  return {
    create: async (server, signal) => {
      const request = { method: 'POST', url: to('/v1/servers'), headers, body: JSON.stringify(server) } as const
      // The request is repeatable, because for a known token the cloud returns the server of the earlier request.
      return read('server', await call({ ...request, isRepeatable: true }, signal))
    },
    describe: async (id, signal) =>
      read('server', await call({ method: 'GET', url: to(`/v1/servers/${encodeURIComponent(id)}`) }, signal)),
    list: (tag, signal) =>
      readPages(async (next?: string) => {
        const url = to('/v1/servers')
        url.searchParams.set('tag', tag.join('='))
        if (next !== undefined) url.searchParams.set('page', next)
        const page = read('servers', await call({ method: 'GET', url }, signal))
        return { items: page.servers, next: page.next }
      }),
    stop: async (id, signal) => {
      await call({ method: 'DELETE', url: to(`/v1/servers/${encodeURIComponent(id)}`) }, signal)
    },
  }
}
