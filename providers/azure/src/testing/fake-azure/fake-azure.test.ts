import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { Vm } from '../../api/compute-shapes.ts'
import type { NetworkInterface } from '../../api/network-shapes.ts'
import { fakeAzureApi } from './connect.ts'
import { FakeAzure } from './fake-azure.ts'
import { LOCATION } from './fake-offer.ts'
import { SUBNET } from './names.ts'

const never = new AbortController().signal

const nic: NetworkInterface = {
  location: LOCATION,
  tags: { pool: 'a' },
  properties: {
    ipConfigurations: [
      { name: 'a', properties: { primary: true, privateIPAllocationMethod: 'Dynamic', subnet: { id: SUBNET } } },
    ],
  },
}

const vmWith = (nicId: string, vmSize = 'Standard_D2_v5'): Vm => ({
  location: LOCATION,
  zones: ['1'],
  tags: { pool: 'a' },
  properties: {
    hardwareProfile: { vmSize },
    storageProfile: {
      imageReference: { communityGalleryImageId: '/CommunityGalleries/g/images/i/versions/202601.05.0' },
      osDisk: { name: 'a', createOption: 'FromImage', deleteOption: 'Delete' },
    },
    networkProfile: { networkInterfaces: [{ id: nicId, properties: { primary: true, deleteOption: 'Delete' } }] },
    osProfile: { computerName: 'a', adminUsername: 'azureuser', customData: 'YQ==' },
    priority: 'Regular',
  },
})

const harness = () => {
  const clock = new VirtualClock()
  const azure = new FakeAzure(clock)
  const api = fakeAzureApi(azure)
  const inTime = async <T>(call: Promise<T>): Promise<T> => {
    let isOver = false
    void call
      .catch(() => undefined)
      .finally(() => {
        isOver = true
      })
    await clock.runUntil(() => isOver, 3_600_000)
    return call
  }
  const codeOf = (call: Promise<unknown>) => inTime(call).catch((error: unknown) => Reflect.get(Object(error), 'code'))
  const launch = async () => {
    const { id = '' } = await inTime(api.network.createNetworkInterface('a', nic, never))
    const pending = await api.compute.beginCreateVm('a', vmWith(id), never)
    return { pending, nicId: id }
  }
  const names = () => azure.resources().map(({ type }) => type.split('/')[1])
  return { clock, azure, api, inTime, codeOf, launch, names }
}

test('a VM is created, listed until it is deleted, and deleted with its interface and disk', async () => {
  const { api, inTime, launch, names, clock } = harness()
  const { pending } = await launch()
  expect((await api.compute.vm('a', never)).properties?.provisioningState).toBe('Creating')
  const made = await inTime(pending.done(never))
  expect(made.properties?.provisioningState).toBe('Succeeded')
  expect(made.properties?.osProfile?.customData).toBeUndefined()
  expect(names()).toEqual(['networkinterfaces', 'virtualmachines', 'disks'])
  const ending = await api.compute.beginDeleteVm('a', never)
  expect((await api.compute.vm('a', never)).properties?.provisioningState).toBe('Deleting')
  await inTime(ending.done(never))
  await clock.advance(1_000)
  expect(names()).toEqual([])
})

test('a VM that fails after it was accepted stays, and its interface is reserved for three minutes', async () => {
  const { azure, api, codeOf, launch, names, clock, inTime } = harness()
  azure.vms.laterFailures = [{ pattern: {}, failure: { code: 'AllocationFailed', message: 'Allocation failed.' } }]
  const { pending } = await launch()
  expect(await codeOf(pending.done(never))).toBe('AllocationFailed')
  expect((await api.compute.vm('a', never)).properties?.provisioningState).toBe('Failed')
  await inTime((await api.compute.beginDeleteVm('a', never)).done(never))
  expect(names()).toEqual(['networkinterfaces'])
  expect(await codeOf(api.network.deleteNetworkInterface('a', never))).toBe('NicReservedForAnotherVm')
  await clock.advance(180_000)
  await inTime(api.network.deleteNetworkInterface('a', never))
  await clock.advance(1_000)
  expect(names()).toEqual([])
})

test('an interface of a VM is not deleted, and cannot be attached to another VM', async () => {
  const { api, codeOf, launch } = harness()
  const { nicId } = await launch()
  expect(await codeOf(api.network.deleteNetworkInterface('a', never))).toBe('NicInUse')
  expect(await codeOf(api.compute.beginCreateVm('b', vmWith(nicId), never))).toBe('NicInUse')
})

test('Resource Graph is a minute behind', async () => {
  const { api, clock, launch, inTime } = harness()
  const query = "Resources | where type == 'microsoft.compute/virtualmachines' | where tags has_cs 'pool'"
  const found = async () => (await api.resourceGraph.query(query, never)).length
  const { pending } = await launch()
  await inTime(pending.done(never))
  expect(await found()).toBe(0)
  await clock.advance(60_000)
  expect(await found()).toBe(1)
  await inTime((await api.compute.beginDeleteVm('a', never)).done(never))
  expect(await found()).toBe(1)
  await clock.advance(60_000)
  expect(await found()).toBe(0)
})

test('invalid requests are refused with Azure’s codes', async () => {
  const { azure, api, codeOf, launch } = harness()
  const { nicId } = await launch()
  const create = (size: string) => codeOf(api.compute.beginCreateVm('b', vmWith(nicId, size), never))
  expect(await create('Standard_Nope')).toBe('InvalidParameter')
  azure.offer.quotas.set('standardFSv2Family', 8)
  expect(await create('Standard_F16s_v2')).toBe('OperationNotAllowed')
  azure.vms.stockOuts = [{ instanceType: 'Standard_E4d_v5', zone: 'southcentralus-1' }]
  expect(await create('Standard_E4d_v5')).toBe('OverconstrainedZonalAllocationRequest')
  azure.nics.addresses = 0
  expect(await codeOf(api.network.createNetworkInterface('c', nic, never))).toBe('SubnetIsFull')
  const lost = {
    ...nic,
    properties: {
      ipConfigurations: [
        { name: 'a', properties: { privateIPAllocationMethod: 'Dynamic' as const, subnet: { id: `${SUBNET}-2` } } },
      ],
    },
  }
  expect(await codeOf(api.network.createNetworkInterface('d', lost, never))).toBe('InvalidResourceReference')
  const unknown = { ...vmWith(nicId), properties: { ...vmWith(nicId).properties, osProfile: undefined } }
  expect(await codeOf(api.compute.beginCreateVm('b', unknown as unknown as Vm, never))).toBe('InvalidParameter')
})

test('a VM with a shared image needs a second token', async () => {
  const { api, codeOf, launch } = harness()
  const { nicId } = await launch()
  const plain = vmWith(nicId)
  const id = '/subscriptions/sig/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/202601.05.0'
  const shared = {
    ...plain,
    properties: {
      ...plain.properties,
      storageProfile: { imageReference: { id }, osDisk: { name: 'b', createOption: 'FromImage' as const } },
    },
  }
  expect(await codeOf(api.compute.beginCreateVm('b', shared, never))).toBe('LinkedAuthorizationFailed')
})

test('tokens expire and are renewed, and without an identity all requests are refused', async () => {
  const { azure, api, clock, codeOf, inTime } = harness()
  await inTime(api.compute.usages(never))
  azure.tokens.revoke()
  await inTime(api.compute.usages(never))
  await clock.advance(2 * 3_600_000)
  azure.tokens.hasIdentity = false
  expect(await codeOf(api.compute.usages(never))).toBe('NoCredentials')
  azure.tokens.hasIdentity = true
  await inTime(api.compute.usages(never))
})

test('above its limits Azure asks to wait, and the client waits', async () => {
  const { azure, api, clock, inTime } = harness()
  azure.limits.drain('graph', 4_000)
  const from = clock.now()
  await inTime(api.resourceGraph.query("Resources | where tags has_cs 'pool'", never))
  expect(clock.now() - from).toBe(5_000)
})

test('lists are paged, and sizes have Azure’s format', async () => {
  const { api, azure, inTime } = harness()
  const skus = await inTime(api.compute.resourceSkus(never))
  expect(skus.map(({ name }) => name)).toEqual(azure.offer.skus.map(({ name }) => name))
  expect(azure.count('ResourceSkus_List')).toBe(2)
  expect(await inTime(api.images.communityImageVersions('g', 'i', never))).toHaveLength(3)
  expect(await inTime(api.images.nodeImageVersions(never))).toHaveLength(18)
})
