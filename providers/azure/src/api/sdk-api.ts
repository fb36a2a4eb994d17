import type { AzureApi } from './azure-api.ts'
import { sdkAuthorization } from './sdk-authorization.ts'
import type { SdkOptions } from './sdk-clients.ts'
import { sdkCompute } from './sdk-compute.ts'
import { sdkMachines } from './sdk-machines.ts'
import { sdkNetwork } from './sdk-network.ts'
import { sdkNodeImages } from './sdk-node-images.ts'
import { sdkResourceGraph } from './sdk-resource-graph.ts'

/** Returns the Azure API through the SDK. Loads and creates the client of each service at its first call. */
export const sdkApi = (options: SdkOptions): AzureApi => {
  const { compute, images } = sdkCompute(options)
  return {
    compute,
    network: sdkNetwork(options),
    images: { ...images, ...sdkNodeImages(options) },
    machines: sdkMachines(options),
    resourceGraph: sdkResourceGraph(options),
    authorization: sdkAuthorization(options),
  }
}
