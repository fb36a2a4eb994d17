import type { GcpApi } from './gcp-api.ts'
import { sdkCompute } from './sdk-compute.ts'
import { sdkGke } from './sdk-gke.ts'
import type { SdkOptions } from './sdk-options.ts'

/** Returns the calls to Google Cloud through the clients of the SDK. */
export const sdkApi = (options: SdkOptions): GcpApi => ({ compute: sdkCompute(options), gke: sdkGke(options) })
