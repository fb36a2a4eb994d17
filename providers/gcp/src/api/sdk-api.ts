import type { GcpApi } from './gcp-api.ts'
import { sdkCompute } from './sdk-compute.ts'
import { sdkGke } from './sdk-gke.ts'
import type { SdkOptions } from './sdk-options.ts'

/** Returns the clients for Compute Engine and GKE that use Google's SDK. */
export const sdkApi = (options: SdkOptions): GcpApi => ({ compute: sdkCompute(options), gke: sdkGke(options) })
