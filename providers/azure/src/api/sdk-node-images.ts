import type { ImageApi, NodeImageVersion } from './azure-api.ts'
import { restList } from './rest-list.ts'
import type { SdkOptions } from './sdk-clients.ts'
import { asked } from './sdk-error.ts'

/** A preview version, because no stable version has the list. The SDK's client has only stable versions. */
const NODE_IMAGES_API_VERSION = '2025-10-02-preview'

/** Returns the API for the versions of AKS node images, over the same connection as the SDK's calls. */
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
        const items = await restList<Partial<NodeImageVersion>>(http, first, signal)
        return items.map(({ os = '', sku = '', version = '' }): NodeImageVersion => ({ os, sku, version }))
      }, signal),
  }
}
