import type { HttpClient } from '@kerf/provider-kit'
import type { HttpClient as SdkHttp } from 'oci-common'
import type { BlockstorageClient, ComputeClient, VirtualNetworkClient } from 'oci-core'
import type { IdentityClient } from 'oci-identity'
import type { WorkRequestClient } from 'oci-workrequests'
import { ociErrorOf } from './oci-api-error.ts'
import { clientConfiguration, sdkModules } from './sdk-modules.ts'
import { callSdk } from './sdk-transport.ts'

export interface SdkOptions {
  readonly region: string
  /** The root URL of all services. The default is Oracle's URL of each service in the region. */
  readonly endpoint?: string
  /** Sends signed requests, with retries. */
  readonly http: Pick<HttpClient, 'call'>
}

/** The clients of the SDK, by service. */
interface Clients {
  readonly compute: ComputeClient
  readonly network: VirtualNetworkClient
  readonly storage: BlockstorageClient
  readonly identity: IdentityClient
  readonly workRequests: WorkRequestClient
}
type Service = keyof Clients

type Makers = { readonly [S in Service]: (httpClient: SdkHttp) => Promise<Clients[S]> }

const makers: Makers = {
  compute: async (httpClient) =>
    new (await sdkModules.core()).ComputeClient({ httpClient }, await clientConfiguration()),
  network: async (httpClient) =>
    new (await sdkModules.core()).VirtualNetworkClient({ httpClient }, await clientConfiguration()),
  storage: async (httpClient) =>
    new (await sdkModules.core()).BlockstorageClient({ httpClient }, await clientConfiguration()),
  identity: async (httpClient) =>
    new (await sdkModules.identity()).IdentityClient({ httpClient }, await clientConfiguration()),
  workRequests: async (httpClient) =>
    new (await sdkModules.workRequests()).WorkRequestClient({ httpClient }, await clientConfiguration()),
}

/** Makes one call of a service. `operation` is the name of the call in error messages. */
export type CallService = <S extends Service, R>(
  service: S,
  operation: string,
  call: (client: Clients[S]) => Promise<R>,
  signal: AbortSignal,
) => Promise<R>

/** Returns a function that makes SDK calls in a region. It throws OciApiError if Oracle Cloud returns an error. */
export const serviceCalls =
  ({ region, endpoint, http }: SdkOptions): CallService =>
  async (service, operation, call, signal) => {
    signal.throwIfAborted()
    try {
      return await callSdk(
        http,
        async (sdkHttp) => {
          const client = await makers[service](sdkHttp)
          if (endpoint === undefined) client.regionId = region
          else client.endpoint = endpoint
          return call(client)
        },
        signal,
      )
    } catch (error) {
      signal.throwIfAborted()
      throw ociErrorOf(operation, error)
    }
  }
