import type { compute_v1 } from '@googleapis/compute/build/v1.js'
import { InvariantError } from '@kerf/apis'
import type { HttpClient, HttpRequest } from '@kerf/provider-kit'

/** The SDK's type for a function that sends a request. Both SDK packages use the same type. */
type Adapter = NonNullable<compute_v1.Options['adapter']>

const METHODS: ReadonlyMap<string, HttpRequest['method']> = new Map(
  (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, method]),
)

const requestOf = ({ method = 'GET', url, headers, body }: Parameters<Adapter>[0]): HttpRequest => {
  const known = METHODS.get(method.toUpperCase())
  if (known === undefined) throw new InvariantError(`the SDK sends ${method} ${url}, which Kerf does not`)
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new InvariantError(`the SDK sends something else than text to ${url}`)
  const text = typeof body === 'string' ? { body } : {}
  return { method: known, url: new URL(url), headers: Object.fromEntries(headers), ...text }
}

/**
 * Returns the adapter that sends the SDK's requests through the kit's HTTP client. So proxies, certificate authorities, tokens and retries
 * work the same for every provider, and tests control the time. A failed write is repeated only if it has a request id.
 */
export const sdkTransport =
  (http: Pick<HttpClient, 'call'>): Adapter =>
  async (options) => {
    const request = requestOf(options)
    const isRepeatable = request.method !== 'POST' || request.url.searchParams.has('requestId')
    const signal = options.signal ?? new AbortController().signal
    const { status, headers, text } = await http.call({ ...request, isRepeatable }, signal)
    const data = JSON.parse(text === '' ? '{}' : text)
    return Object.assign(new Response(text, { status, headers: { ...headers } }), { config: options, data })
  }
