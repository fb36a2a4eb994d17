import { AccessTokens, HttpClient, type HttpRequest } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { AzureApi } from '../../api/azure-api.ts'
import { sdkApi } from '../../api/sdk-api.ts'
import type { BodySchema } from './body-schemas.ts'
import { findRoute, type Operation, type OperationName, operationNames, operations } from './operations.ts'

const never = new AbortController().signal

/** Returns a value with every field of the schema. */
const schemaExample = (schema: BodySchema, path = 'x'): unknown => {
  if (schema === 'text') return path
  if (schema === 'number') return 1
  if (schema === 'flag') return true
  if (schema === 'tags') return { [`tag-${path}`]: 'value' }
  if (schema === 'any') return { any: 'thing' }
  if ('list' in schema) return [schemaExample(schema.list, `${path}-item`)]
  if ('map' in schema) return { '/key': schemaExample(schema.map, `${path}-value`) }
  return Object.fromEntries(
    Object.entries(schema.fields).map(([key, each]) => [key, schemaExample(each, `${path}-${key}`)]),
  )
}

/** Returns the request body of an operation with every field of its schema. */
const bodyOf = <T>(name: OperationName): T => {
  const { body }: Operation = operations[name]
  return schemaExample(body ?? 'any') as T
}

const SUBNET = '/subscriptions/sub/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s'

const MACHINE_POOL =
  '/subscriptions/sub/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c/agentPools/p'

const calls: Readonly<Record<OperationName, (api: AzureApi) => Promise<unknown>>> = {
  VirtualMachines_Get: (api) => api.compute.vm('a', never),
  VirtualMachines_CreateOrUpdate: (api) =>
    api.compute.beginCreateVm('a', bodyOf('VirtualMachines_CreateOrUpdate'), never),
  VirtualMachines_Update: (api) => api.compute.updateVm('a', bodyOf('VirtualMachines_Update'), never),
  VirtualMachines_Delete: (api) => api.compute.beginDeleteVm('a', never),
  VirtualMachineExtensions_CreateOrUpdate: (api) =>
    api.compute.createExtension('v', 'a', bodyOf('VirtualMachineExtensions_CreateOrUpdate'), never),
  VirtualMachineExtensions_Update: (api) => api.compute.updateExtensionTags('v', 'a', { 'tag-x-tags': 'value' }, never),
  ResourceSkus_List: (api) => api.compute.resourceSkus(never),
  Usage_List: (api) => api.compute.usages(never),
  CommunityGalleryImageVersions_List: (api) => api.images.communityImageVersions('g', 'i', never),
  DiskEncryptionSets_Get: (api) =>
    api.compute.probeDiskEncryptionSet(
      '/subscriptions/sub/resourceGroups/g/providers/Microsoft.Compute/diskEncryptionSets/a',
      never,
    ),
  Disks_Delete: (api) => api.compute.deleteDisk('a', never),
  NetworkInterfaces_Get: (api) => api.network.networkInterface('a', never),
  NetworkInterfaces_CreateOrUpdate: (api) =>
    api.network.createNetworkInterface('a', bodyOf('NetworkInterfaces_CreateOrUpdate'), never),
  NetworkInterfaces_UpdateTags: (api) => api.network.updateNetworkInterfaceTags('a', { 'tag-x-tags': 'value' }, never),
  NetworkInterfaces_Delete: (api) => api.network.deleteNetworkInterface('a', never),
  Subnets_Get: (api) => api.network.subnet(SUBNET, never),
  VirtualNetworks_Get: (api) => api.network.virtualNetwork('g', 'v', never),
  LoadBalancers_List: (api) => api.network.loadBalancers(never),
  NetworkSecurityGroups_List: (api) => api.network.securityGroups(never),
  Resources: (api) => api.resourceGraph.query('x-query', never),
  Permissions_ListForResourceGroup: (api) =>
    api.authorization.permissions('/subscriptions/sub/resourceGroups/g', never),
  Permissions_ListForResource: (api) => api.authorization.permissions(SUBNET, never),
  ContainerService_ListNodeImageVersions: (api) => api.images.nodeImageVersions(never),
  Machines_Get: (api) => api.machines.machine(MACHINE_POOL, 'a', never),
  Machines_List: (api) => api.machines.machines(MACHINE_POOL, never),
  Machines_CreateOrUpdate: (api) =>
    api.machines.putMachine(MACHINE_POOL, 'a', bodyOf('Machines_CreateOrUpdate'), undefined, never),
  AgentPools_DeleteMachines: (api) => api.machines.deleteMachine(MACHINE_POOL, 'x-machineNames-item', never),
}

/** Makes a call whose request is refused. Returns the request that the SDK sent. */
const sentBy = async (call: (api: AzureApi) => Promise<unknown>): Promise<HttpRequest> => {
  const clock = new VirtualClock()
  const sent: HttpRequest[] = []
  const http = new HttpClient({
    ...{ clock, random: new SeededRandom(1) },
    credentials: new AccessTokens(clock, async () => ({ value: 'token' })),
    send: async (request) => {
      sent.push(request)
      return { status: 418, headers: {}, text: '' }
    },
  })
  const api = sdkApi({
    ...{ endpoint: 'https://management.azure.com', subscription: 'sub', nodeResourceGroup: 'rg', location: 'westus2' },
    ...{ version: '1', clock, http },
  })
  await call(api).catch(() => undefined)
  const [request] = sent
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

test.each(operationNames)(
  '%s is what the SDK sends, in its version and with all the fields of its schema',
  async (name) => {
    const operation: Operation = operations[name]
    const { method, url, body } = await sentBy(calls[name])
    expect(findRoute(method, url.pathname)?.name).toBe(name)
    expect(url.searchParams.get('api-version')).toBe(operation.apiVersion)
    for (const key of url.searchParams.keys()) expect(['api-version', ...(operation.query ?? [])]).toContain(key)
    expect(operation.specification).toMatch(/resource-manager\/Microsoft\.\w+\/.*\.(json|tsp)$/)
    if (name === 'Resources') return
    // The SDK does not send fields that it does not know.
    if (operation.body !== undefined) expect(JSON.parse(body ?? '')).toEqual(bodyOf(name))
    else expect(body).toBeUndefined()
  },
)
