import { AccessTokens, Connections, HttpClient, networkFrom, sendOver } from '@kerf/provider-kit'
import { SeededRandom, SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { cloudEndpoints } from '../../api/cloud-endpoints.ts'
import { createTokens, sdkCredential } from '../../api/credentials.ts'
import { sdkApi } from '../../api/sdk-api.ts'
import { FakeAzure } from './fake-azure.ts'
import { LOCATION } from './fake-offer.ts'
import { serveAzure } from './loopback.ts'
import { GROUP, SUBSCRIPTION } from './names.ts'

const never = new AbortController().signal

/** Creates the provider with `createAzure`, and records the hosts of its requests. */
const harness = async () => {
  const clock = new SystemClock()
  const served = await serveAzure((endpoint) => new FakeAzure(clock, { endpoint }))
  onTestFinished(() => served.close())
  const { env, azure } = served
  const limits = { requestTimeout: 30_000, connectionTimeout: 10_000, maxSockets: 4 }
  const hosts = new Set<string>()
  const send = sendOver(new Connections(networkFrom({}, env['NODE_EXTRA_CA_CERTS'] ?? ''), limits), {
    userAgent: 'kerf/test',
  })
  const random = new SeededRandom(1)
  const http = new HttpClient({
    ...{ clock, random },
    send: (request, signal) => {
      hosts.add(request.url.hostname)
      return send(request, signal)
    },
  })
  const cloud = await cloudEndpoints({
    ...{ armCloud: '', azureEndpointURL: '', azureEnvironmentFile: env['AZURE_ENVIRONMENT_FILEPATH'] ?? '' },
  })
  const credential = () =>
    sdkCredential({
      ...{ env, tenant: env['AZURE_TENANT_ID'] ?? '', http },
      ...{ authority: cloud.activeDirectory, isPrivate: cloud.isPrivate },
    })
  const credentials = new AccessTokens(clock, createTokens(credential, cloud.audience, clock))
  const api = sdkApi({
    ...{ endpoint: cloud.resourceManager, subscription: SUBSCRIPTION, nodeResourceGroup: GROUP, location: LOCATION },
    ...{ version: 'test', clock, http: new HttpClient({ send, clock, random, credentials }) },
  })
  return { served, azure, api, hosts }
}

test('a workload identity of a private cloud reads every page, and asks no other host about the cloud', async () => {
  const { served, azure, api, hosts } = await harness()
  const sizes = await api.compute.resourceSkus(never)
  expect(sizes.map(({ name }) => name)).toEqual(azure.offer.skus.map(({ name }) => name))
  expect(served.tokensGiven()).toBe(1)
  expect([...hosts]).toEqual(['127.0.0.1'])
})

test('a token that is refused before its expiry is replaced', async () => {
  const { served, azure, api } = await harness()
  await api.compute.usages(never)
  azure.tokens.revoke()
  await api.compute.usages(never)
  expect(served.tokensGiven()).toBe(2)
})

test('without an identity the error says how to get one', async () => {
  const { azure, api } = await harness()
  azure.tokens.hasIdentity = false
  await expect(api.compute.usages(never)).rejects.toThrow(/AADSTS700016.*check the workload identity/s)
})
