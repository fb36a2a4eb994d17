import type { PipelineRequest, HttpClient as SdkHttpClient } from '@azure/core-rest-pipeline'
import { InvariantError } from '@kerf/apis'
import {
  type HttpClient,
  HttpError,
  type HttpRequest,
  type HttpResponse,
  lazily,
  NoResponseError,
} from '@kerf/provider-kit'

const METHODS: ReadonlyMap<string, HttpRequest['method']> = new Map(
  (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, method]),
)

/** Returns a real AbortSignal for an SDK request, whose own signal may lack methods. */
const signalOf = ({ abortSignal }: Pick<PipelineRequest, 'abortSignal'>): AbortSignal => {
  if (abortSignal instanceof AbortSignal) return abortSignal
  const controller = new AbortController()
  if (abortSignal?.aborted === true) controller.abort()
  abortSignal?.addEventListener('abort', () => controller.abort())
  return controller.signal
}

const lowerCase = (headers: Iterable<[string, string]>): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]))

const requestOf = ({ method, url, headers, body }: PipelineRequest): HttpRequest => {
  const known = METHODS.get(method)
  if (known === undefined) throw new InvariantError(`the SDK sends ${method} ${url}, which Kerf does not`)
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new InvariantError(`the SDK sends something else than text to ${url}`)
  const text = typeof body === 'string' ? { body } : {}
  return { method: known, url: new URL(url), headers: lowerCase(headers), ...text }
}

const pipeline = lazily(() => import('./clients/pipeline.ts'))

/**
 * Returns the transport of the SDK's clients. It uses the kit's client, so that proxies, certificate authorities, tokens and
 * retries are the same for every provider, and tests control the time. Retries are safe, because every change that Kerf makes in
 * Azure is idempotent.
 */
export const sdkTransport = (http: Pick<HttpClient, 'call'>): SdkHttpClient => ({
  sendRequest: async (request) => {
    const { createHttpHeaders, RestError } = await pipeline()
    const answered = ({ status, headers, text }: HttpResponse) => ({
      request,
      status,
      headers: createHttpHeaders({ ...headers }),
      bodyAsText: text,
    })
    try {
      return answered(await http.call({ ...requestOf(request), isRepeatable: true }, signalOf(request)))
    } catch (error) {
      if (error instanceof HttpError) return answered(error.answer)
      if (error instanceof NoResponseError)
        throw new RestError(error.message, { code: RestError.REQUEST_SEND_ERROR, request })
      throw error
    }
  },
})
