import type { TokenCredential } from '@azure/core-auth'
import type { Pipeline } from '@azure/core-rest-pipeline'
import type { HttpClient } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { sdkTransport } from './sdk-transport.ts'

/** What the SDK's clients are made with. */
export interface SdkOptions {
  /** Of Azure Resource Manager, such as `https://management.azure.com`. */
  readonly endpoint: string
  readonly subscription: string
  /** AKS's own, in which the nodes are. */
  readonly nodeResourceGroup: string
  readonly location: string
  readonly version: string
  readonly clock: Clock
  /** Sends requests with the token of Azure Resource Manager, and repeats them. */
  readonly http: Pick<HttpClient, 'call'>
  /** The same with a token for images in another tenant besides; absent where there are none. */
  readonly vmHttp?: Pick<HttpClient, 'call'>
}

/** The transport adds the token: it asks for a new one when Azure refuses the old one. */
export const noCredential: TokenCredential = {
  getToken: async () => {
    throw new Error('tokens are added by the transport')
  },
}

/** The settings of a client. The service recognises Karpenter by the beginning of the user agent. */
export const clientOptions = ({ endpoint, version }: SdkOptions, http: Pick<HttpClient, 'call'>) => ({
  endpoint,
  httpClient: sdkTransport(http),
  retryOptions: { maxRetries: 0 },
  userAgentOptions: { userAgentPrefix: `karpenter-aks/v${version}` },
})

/** Takes the SDK's own tokens out of a client. */
export const withoutTokens = <C extends { readonly pipeline: Pipeline }>(client: C): C => {
  client.pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' })
  return client
}
