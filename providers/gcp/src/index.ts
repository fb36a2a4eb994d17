export type { ComputeApi, GcpApi, GkeApi, InstanceRequest } from './api/gcp-api.ts'
export { GcpApiError, isGcpNotFound } from './api/gcp-api-error.ts'
export { sdkApi } from './api/sdk-api.ts'
export { isThrottled, type SdkOptions } from './api/sdk-options.ts'
