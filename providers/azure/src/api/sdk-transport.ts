import type { PipelineRequest, HttpClient as SdkHttpClient } from '@azure/core-rest-pipeline'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse, NoResponseError } from '@kerf/provider-kit'

const METHODS: ReadonlyMap<string, HttpRequest['method']> = new Map(
  (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, method]),
)

/** The SDK's requests end with signals that only look like one. */
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
  if (known === undefined) throw new Error(`the SDK sends ${method} ${url}, which Kerf does not`)
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new Error(`the SDK sends something else than text to ${url}`)
  const text = typeof body === 'string' ? { body } : {}
  return { method: known, url: new URL(url), headers: lowerCase(headers), ...text }
}

/**
 * What the SDK's clients send their requests with: the kit's client, so that proxies, authorities, tokens, repeats and waiting are
 * those of every provider, and time is the clock's. All of Azure's changes that Kerf makes come to the same when they are sent twice.
 */
export const sdkTransport = (http: Pick<HttpClient, 'call'>): SdkHttpClient => ({
  sendRequest: async (request) => {
    const { createHttpHeaders, RestError } = await import('./clients/pipeline.ts')
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
