import { AccessTokens, HttpClient, type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { SeededRandom } from '@kerf/runtime'
import type { AzureApi } from '../../api/azure-api.ts'
import { createTokens } from '../../api/credentials.ts'
import { sdkApi } from '../../api/sdk-api.ts'
import type { FakeAzure } from './fake-azure.ts'
import { LOCATION } from './fake-offer.ts'
import { GROUP, SUBSCRIPTION } from './names.ts'

/** A retry policy without retries, for tests in which time does not advance during a call. */
export const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

/** Returns the API of the fake, through the real clients of the SDK. */
export const fakeAzureApi = (
  azure: FakeAzure,
  retries?: RetryPolicy,
  send: Send = azure.send,
  nodeResourceGroup = GROUP,
): AzureApi => {
  const { clock, endpoint } = azure
  const credential = { getToken: async () => azure.tokens.give() }
  const http = new HttpClient({
    ...{ send, clock, random: new SeededRandom(1) },
    credentials: new AccessTokens(
      clock,
      createTokens(async () => credential, endpoint, clock),
    ),
    ...(retries === undefined ? {} : { retries }),
  })
  return sdkApi({
    ...{ endpoint, subscription: SUBSCRIPTION, nodeResourceGroup, location: LOCATION },
    ...{ version: '0.1.0', clock, http },
  })
}

/** Loads the packages of the SDK. Otherwise the first call loads them, which takes time that no test clock controls. */
export const loadSdk = async (): Promise<void> => {
  await Promise.all([
    import('../../api/clients/compute.ts'),
    import('../../api/clients/network.ts'),
    import('../../api/clients/pipeline.ts'),
    import('../../api/clients/resource-graph.ts'),
  ])
}
