import { type HttpClient, readPages } from '@kerf/provider-kit'
import { AzureApiError } from './azure-api-error.ts'
import { refused } from './http-refusal.ts'

interface ListPage<T> {
  readonly value?: readonly T[]
  readonly nextLink?: string | null
}

const get = async <T>(http: Pick<HttpClient, 'call'>, url: URL, signal: AbortSignal): Promise<ListPage<T>> => {
  try {
    return JSON.parse((await http.call({ method: 'GET', url }, signal)).text)
  } catch (error) {
    throw refused(error)
  }
}

/**
 * Returns all items of a list for which the SDK's pinned clients have no call. It uses the same connection as the SDK.
 *
 * @throws AzureApiError if Azure refuses the request, or if a page is on another host, which must not get the token.
 */
export const restList = <T>(http: Pick<HttpClient, 'call'>, first: URL, signal: AbortSignal): Promise<readonly T[]> =>
  readPages<T, string>(async (next) => {
    const url = next === undefined ? first : new URL(next)
    if (url.host !== first.host)
      throw new AzureApiError({ code: 'UnknownAnswer', message: `the list goes on at ${url.host}` })
    const { value = [], nextLink } = await get<T>(http, url, signal)
    return { items: value, next: nextLink === null || nextLink === '' ? undefined : nextLink }
  })
