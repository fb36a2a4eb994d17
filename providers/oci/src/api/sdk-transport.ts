import { InvariantError } from '@kerf/apis'
import type { HttpClient, HttpRequest } from '@kerf/provider-kit'
import type { HttpClient as SdkHttp } from 'oci-common'

/** A request that the SDK has composed. */
export type SdkRequest = Parameters<SdkHttp['send']>[0]

const METHODS: ReadonlyMap<string, HttpRequest['method']> = new Map(
  (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, method]),
)
const RETRY_TOKEN = 'opc-retry-token'
const NO_CONTENT = 204

const requestFrom = ({ method, uri, headers, body }: SdkRequest): HttpRequest => {
  const known = METHODS.get(method)
  if (known === undefined) throw new InvariantError(`the SDK sends ${method} ${uri}, which Kerf does not`)
  if (body !== undefined && typeof body !== 'string')
    throw new InvariantError(`the SDK sends something else than text to ${uri}`)
  return {
    method: known,
    url: new URL(uri),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
  }
}

/**
 * Runs one SDK call through the kit's client. So proxies, certificate authorities, signatures and retries work the same for every provider,
 * and tests control the time. If the request fails, the SDK receives an empty response, because it would print an error to the console and
 * drop its details. A launch is retried only if it has a retry token.
 *
 * @throws the errors of the kit's client
 */
export const callSdk = async <R>(
  http: Pick<HttpClient, 'call'>,
  call: (sdkHttp: SdkHttp) => Promise<R>,
  signal: AbortSignal,
): Promise<R> => {
  let failure: { readonly error: unknown } | undefined
  const answer = await call({
    send: async (sdkRequest) => {
      try {
        const request = requestFrom(sdkRequest)
        const isRepeatable = request.method !== 'POST' || sdkRequest.headers.has(RETRY_TOKEN)
        const { status, headers, text } = await http.call({ ...request, isRepeatable }, signal)
        return new Response(status === NO_CONTENT ? null : text, { status, headers: { ...headers } })
      } catch (error) {
        failure = { error }
        return new Response('null')
      }
    },
  })
  if (failure !== undefined) throw failure.error
  return answer
}
