import { type HttpClient, HttpError, readPages } from '@kerf/provider-kit'
import type { ImageApi, NodeImageVersion } from './azure-api.ts'
import { AzureApiError } from './azure-api-error.ts'
import type { SdkOptions } from './sdk-clients.ts'
import { asked } from './sdk-error.ts'

/** The SDK's client speaks stable versions of the API alone, and only previews have the list. */
const NODE_IMAGES_API_VERSION = '2025-10-02-preview'

interface Item {
  readonly os?: string
  readonly sku?: string
  readonly version?: string
}

interface ListPage {
  readonly value?: readonly Item[]
  readonly nextLink?: string | null
}

const refusalOf = ({ answer, status }: HttpError): AzureApiError => {
  try {
    const { error = {} }: { readonly error?: { readonly code?: string; readonly message?: string } } = JSON.parse(
      answer.text,
    )
    return new AzureApiError({ code: error.code ?? 'UnknownError', message: error.message ?? answer.text, status })
  } catch {
    return new AzureApiError({ code: 'UnknownError', message: answer.text, status })
  }
}

const get = async (http: Pick<HttpClient, 'call'>, url: URL, signal: AbortSignal): Promise<ListPage> => {
  try {
    return JSON.parse((await http.call({ method: 'GET', url }, signal)).text)
  } catch (error) {
    throw error instanceof HttpError ? refusalOf(error) : error
  }
}

/** The versions of AKS's node images, over the same connection as the SDK's calls. */
export const sdkNodeImages = (options: SdkOptions): Pick<ImageApi, 'nodeImageVersions'> => {
  const { endpoint, subscription, location, http } = options
  const first = new URL(
    `/subscriptions/${subscription}/providers/Microsoft.ContainerService/locations/${location}/nodeImageVersions`,
    endpoint,
  )
  first.searchParams.set('api-version', NODE_IMAGES_API_VERSION)
  return {
    nodeImageVersions: (signal) =>
      asked(async () => {
        const items = await readPages<Item, string>(async (next) => {
          const url = next === undefined ? first : new URL(next)
          if (url.host !== first.host)
            throw new AzureApiError({ code: 'UnknownAnswer', message: `the list goes on at ${url.host}` })
          const { value = [], nextLink } = await get(http, url, signal)
          return { items: value, next: nextLink === null || nextLink === '' ? undefined : nextLink }
        })
        return items.map(({ os = '', sku = '', version = '' }): NodeImageVersion => ({ os, sku, version }))
      }, signal),
  }
}
