import { AccessTokens, HttpClient, type HttpRequest, type HttpResponse } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { Vm } from './compute-shapes.ts'
import { sdkApi } from './sdk-api.ts'

const never = new AbortController().signal
const HOST = 'https://management.azure.com'
const VM_PATH = '/subscriptions/sub/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachines/aks-a'

type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>]

/** Returns an in-memory Azure that returns these responses in order. */
const scripted = (...answers: Answer[]) => {
  const clock = new VirtualClock()
  const requests: HttpRequest[] = []
  let tokens = 0
  const http = new HttpClient({
    clock,
    random: new SeededRandom(1),
    credentials: new AccessTokens(clock, async () => ({ value: `token-${++tokens}` })),
    send: async (request): Promise<HttpResponse> => {
      requests.push(request)
      const [status, body, headers = {}] = answers.shift() ?? [599, { error: { code: 'NoMoreAnswers' } }]
      const text = body === undefined ? '' : JSON.stringify(body)
      return { status, headers: { 'content-type': 'application/json', ...headers }, text }
    },
  })
  const options = { endpoint: HOST, subscription: 'sub', nodeResourceGroup: 'MC_rg', location: 'westus2' }
  const api = sdkApi({ ...options, version: '1.0.0', clock, http })
  /** Awaits the call while the clock advances. */
  const inTime = async <T>(call: Promise<T>): Promise<T> => {
    let isOver = false
    void call
      .catch(() => undefined)
      .finally(() => {
        isOver = true
      })
    await clock.runUntil(() => isOver, 600_000)
    return call
  }
  return { api, requests, clock, inTime }
}

const vm: Vm = {
  location: 'westus2',
  zones: ['1'],
  tags: { a: 'b' },
  identity: { type: 'UserAssigned', userAssignedIdentities: { '/id': {} } },
  properties: {
    hardwareProfile: { vmSize: 'Standard_D2s_v5' },
    storageProfile: {
      imageReference: { communityGalleryImageId: '/CommunityGalleries/g/images/i/versions/1' },
      osDisk: {
        name: 'aks-a',
        createOption: 'FromImage',
        diskSizeGB: 128,
        deleteOption: 'Delete',
        caching: 'ReadOnly',
        diffDiskSettings: { option: 'Local', placement: 'NvmeDisk' },
        managedDisk: { diskEncryptionSet: { id: '/des' } },
      },
    },
    networkProfile: { networkInterfaces: [{ id: '/nic', properties: { primary: true, deleteOption: 'Delete' } }] },
    osProfile: {
      computerName: 'aks-a',
      adminUsername: 'azureuser',
      customData: 'YQ==',
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: { publicKeys: [{ keyData: 'ssh-rsa a', path: '/home/azureuser/.ssh/authorized_keys' }] },
      },
    },
    priority: 'Spot',
    evictionPolicy: 'Delete',
    billingProfile: { maxPrice: -1 },
    securityProfile: {
      encryptionAtHost: true,
      securityType: 'TrustedLaunch',
      uefiSettings: { vTpmEnabled: true, secureBootEnabled: true },
    },
    additionalCapabilities: { ultraSSDEnabled: true },
  },
}

test('a VM is sent to Azure unchanged, and is returned in Azure’s form', async () => {
  const stored = { ...vm, id: VM_PATH, name: 'aks-a', properties: { ...vm.properties, provisioningState: 'Creating' } }
  const { api, requests, inTime } = scripted(
    [201, stored, { 'azure-asyncoperation': `${HOST}/operations/1?api-version=x` }],
    [200, { status: 'InProgress' }],
    [200, { status: 'Succeeded' }],
    [
      200,
      {
        ...stored,
        properties: { ...vm.properties, provisioningState: 'Succeeded', timeCreated: '2026-01-01T00:00:00.123Z' },
      },
    ],
  )
  const pending = await api.compute.beginCreateVm('aks-a', vm, never)
  expect(requests).toHaveLength(1)
  const made = await inTime(pending.done(never))
  const [first] = requests
  expect(first?.method).toBe('PUT')
  expect(first?.url.pathname).toBe(VM_PATH)
  expect(JSON.parse(first?.body ?? '')).toEqual(vm)
  expect(first?.headers?.['user-agent']).toMatch(/^karpenter-aks\/v1\.0\.0 /)
  expect(requests.slice(1).map(({ url }) => url.pathname)).toEqual(['/operations/1', '/operations/1', VM_PATH])
  expect(made).toEqual({
    ...stored,
    properties: { ...vm.properties, provisioningState: 'Succeeded', timeCreated: '2026-01-01T00:00:00.123Z' },
  })
})

test('an accepted change that fails later has the code of the failure, and no status', async () => {
  const { api, inTime, clock } = scripted(
    [201, { ...vm, properties: { provisioningState: 'Creating' } }, { 'azure-asyncoperation': `${HOST}/operations/1` }],
    [
      200,
      {
        status: 'Failed',
        error: { code: 'ZonalAllocationFailed', message: 'Allocation failed. We do not have sufficient capacity.' },
      },
    ],
  )
  const pending = await api.compute.beginCreateVm('aks-a', vm, never)
  const from = clock.now()
  await expect(inTime(pending.done(never))).rejects.toMatchObject({
    name: 'AzureApiError',
    code: 'ZonalAllocationFailed',
    message: 'Allocation failed. We do not have sufficient capacity.',
    status: undefined,
  })
  expect(clock.now() - from).toBe(3_000)
})

test('a refusal has its code and its status', async () => {
  const { api } = scripted([
    409,
    { error: { code: 'SkuNotAvailable', message: 'The requested VM size is currently not available' } },
  ])
  await expect(api.compute.beginCreateVm('aks-a', vm, never)).rejects.toMatchObject({
    code: 'SkuNotAvailable',
    status: 409,
    message: 'The requested VM size is currently not available',
  })
})

test('a throttled call waits as long as Azure asks', async () => {
  const { api, requests, clock, inTime } = scripted(
    [429, { error: { code: 'TooManyRequests', message: 'slow down' } }, { 'retry-after': '17' }],
    [200, { ...vm, name: 'aks-a' }],
  )
  const from = clock.now()
  expect(await inTime(api.compute.vm('aks-a', never))).toMatchObject({ name: 'aks-a' })
  expect(clock.now() - from).toBe(17_000)
  expect(requests).toHaveLength(2)
})

test('a token that Azure refuses is replaced once', async () => {
  const expired = { error: { code: 'ExpiredAuthenticationToken', message: 'The access token expiry is in the past' } }
  const { api, requests } = scripted([401, expired], [200, vm], [401, expired], [401, expired])
  await api.compute.vm('aks-a', never)
  expect(requests.map(({ headers }) => headers?.['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2'])
  await expect(api.compute.vm('aks-a', never)).rejects.toMatchObject({
    code: 'ExpiredAuthenticationToken',
    status: 401,
  })
})

test('lists are read to the end, and a failed page fails the list', async () => {
  const page = (name: string, nextLink?: string) => ({ value: [{ name, resourceType: 'virtualMachines' }], nextLink })
  const { api, requests } = scripted(
    [200, page('Standard_D2s_v5', `${HOST}/next?page=2`)],
    [200, page('Standard_D4s_v5')],
    [200, page('Standard_D2s_v5', `${HOST}/next?page=2`)],
    [403, { error: { code: 'AuthorizationFailed', message: 'no' } }],
  )
  const names = (await api.compute.resourceSkus(never)).map(({ name }) => name)
  expect(names).toEqual(['Standard_D2s_v5', 'Standard_D4s_v5'])
  expect(requests[0]?.url.searchParams.get('$filter')).toBe("location eq 'westus2'")
  await expect(api.compute.resourceSkus(never)).rejects.toMatchObject({ code: 'AuthorizationFailed', status: 403 })
})

test('all pages of a Resource Graph query are read', async () => {
  const answer = (name: string, $skipToken?: string) => ({
    ...{ totalRecords: 2, count: 1, resultTruncated: 'false', data: [{ name }], facets: [] },
    ...($skipToken === undefined ? {} : { $skipToken }),
  })
  const { api, requests } = scripted([200, answer('a', 'more')], [200, answer('b')])
  expect(await api.resourceGraph.query('resources', never)).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(requests.map(({ body }) => JSON.parse(body ?? ''))).toMatchObject([
    { query: 'resources', subscriptions: ['sub'], options: { resultFormat: 'objectArray' } },
    { options: { $skipToken: 'more' } },
  ])
})

test('an aborted signal ends the call with its own reason', async () => {
  const stop = new AbortController()
  stop.abort(new Error('the process ends'))
  await expect(scripted().api.compute.vm('aks-a', stop.signal)).rejects.toThrow('the process ends')
})
