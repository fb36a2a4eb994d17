import type { TokenCredential } from '@azure/core-auth'
import type { Pipeline } from '@azure/core-rest-pipeline'
import { InvariantError } from '@kerf/apis'
import type { HttpClient } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { sdkTransport } from './sdk-transport.ts'

/** The options of the SDK's clients. */
export interface SdkOptions {
  /** The endpoint of Azure Resource Manager, such as `https://management.azure.com`. */
  readonly endpoint: string
  readonly subscription: string
  /** The resource group of the nodes, which AKS manages. */
  readonly nodeResourceGroup: string
  readonly location: string
  readonly version: string
  readonly clock: Clock
  /** Sends requests with the token of Azure Resource Manager, with retries. */
  readonly http: Pick<HttpClient, 'call'>
  /** Like `http`, with an additional token for images in another tenant. Absent if there are no such images. */
  readonly vmHttp?: Pick<HttpClient, 'call'>
}

/** A credential without a token. The transport adds the token, and requests a new one when Azure refuses the old one. */
export const noCredential: TokenCredential = {
  getToken: async () => {
    throw new InvariantError('tokens are added by the transport')
  },
}

/** Returns the options of a client. The service recognises Karpenter by the prefix of the user agent. */
export const clientOptions = ({ endpoint, version }: SdkOptions, http: Pick<HttpClient, 'call'>) => ({
  endpoint,
  httpClient: sdkTransport(http),
  retryOptions: { maxRetries: 0 },
  userAgentOptions: { userAgentPrefix: `karpenter-aks/v${version}` },
})

/** Removes the SDK's own token handling from a client. */
export const withoutTokens = <C extends { readonly pipeline: Pipeline }>(client: C): C => {
  client.pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' })
  return client
}
