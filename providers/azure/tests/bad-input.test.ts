import { karpenterKinds } from '@kerf/apis'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import type { FakeAzure } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import { expect, test } from 'vitest'
import { leavesNothing, type Story, scale, story } from './azure-story.ts'
import { setWindow } from './kerf-on-fake-azure.ts'

const idsOf = (bed: Story): readonly string[] => bed.vms().map(({ id }) => id)

/**
 * Asserts that the fault keeps new nodes from launching, that a condition and an event give the reason, that three running pods stay, and
 * that Kerf recovers.
 */
const hinders = async (
  bed: Story,
  { begin, end, says }: { readonly begin: () => unknown; readonly end: () => unknown; readonly says: RegExp },
): Promise<void> => {
  await bed.runs()
  const before = idsOf(bed)
  await begin()
  await scale(bed, 40)
  await bed.pass(240)
  expect(await bed.launches()).toContainEqual(expect.stringMatching(says))
  expect(await bed.events()).toMatch(says)
  expect(idsOf(bed)).toEqual(before)
  expect(await bed.run()).toBeGreaterThanOrEqual(3)
  await end()
  await bed.runs(40, 7_200)
  await leavesNothing(bed)
}

test('an expired identity', async () => {
  const bed = await story()
  await hinders(bed, {
    begin: () => {
      bed.azure.tokens.hasIdentity = false
      bed.azure.tokens.revoke()
    },
    end: () => {
      bed.azure.tokens.hasIdentity = true
    },
    says: /CredentialsRefused: .*AADSTS700016.*check the federated credential of its service account/,
  })
})

test('an identity that is missing from the start', async () => {
  const bed = await story({
    before: (azure) => {
      azure.tokens.hasIdentity = false
    },
  })
  await bed.pass(240)
  expect(await bed.told('SubnetsReady')).toMatch(/^Unknown .*AADSTS700016.*check the federated credential/)
  expect(await bed.events()).toMatch(/^CredentialsRefused: .*AADSTS700016.*check the federated credential/m)
  expect(bed.azure.resources()).toEqual([])
  bed.azure.tokens.hasIdentity = true
  await bed.runs()
  await leavesNothing(bed)
})

const WRONG = { AZURE_NODE_RESOURCE_GROUP: 'MC_other' }
const NO_GROUP = /ResourceGroupNotFound: Resource group 'MC_other' could not be found.*Check AZURE_NODE_RESOURCE_GROUP/

test('with a wrong resource group, nothing is created', async () => {
  const bed = await story({ env: WRONG })
  await bed.pass(240)
  expect(await bed.launches()).toContainEqual(expect.stringMatching(NO_GROUP))
  expect(await bed.events()).toMatch(NO_GROUP)
  expect(bed.azure.resources()).toEqual([])
  await bed.restart()
  await bed.runs()
  await leavesNothing(bed)
})

test('with a wrong resource group and existing nodes, the nodes stay and none counts as terminated', async () => {
  const bed = await story()
  await bed.runs()
  const [before, { items: claims }] = [idsOf(bed), await bed.client.list(karpenterKinds.NodeClaim)]
  await bed.restart(WRONG)
  await bed.pass(1_800)
  const { items } = await bed.client.list(karpenterKinds.NodeClaim)
  expect(items.map(({ metadata }) => metadata.uid)).toEqual(claims.map(({ metadata }) => metadata.uid))
  expect(idsOf(bed)).toEqual(before)
  await bed.restart()
  await bed.runs()
  await leavesNothing(bed)
})

test('a full subnet', async () => {
  const bed = await story()
  await hinders(bed, {
    begin: () => {
      bed.azure.nics.addresses = 0
    },
    end: () => {
      bed.azure.nics.addresses = 100
    },
    says: /SubnetIsFull: .*does not have enough capacity.*Free addresses of the subnet, enlarge it, or set another one/,
  })
})

test('sizes that the subscription may not use are named in a message and not requested again', async () => {
  const bed = await story()
  await bed.runs()
  const before = idsOf(bed)
  const restricted = {
    code: 'SkuNotAvailable',
    status: 409,
    message: 'The requested VM size is not available in location southcentralus. Please try another size.',
  }
  bed.azure.faults.standing('VirtualMachines_CreateOrUpdate', restricted)
  await scale(bed, 40)
  await bed.pass(240)
  expect(await bed.events()).toMatch(/Standard_\w+ \(on-demand, zone .*SkuNotAvailable: .*Please try another size/)
  const asked = bed.azure.count('VirtualMachines_CreateOrUpdate')
  await bed.pass(600)
  expect(bed.azure.count('VirtualMachines_CreateOrUpdate')).toBe(asked)
  expect(idsOf(bed)).toEqual(before)
  expect(await bed.run()).toBeGreaterThanOrEqual(3)
  bed.azure.faults.recover()
  await bed.restart()
  await bed.runs(40, 1_200)
  await leavesNothing(bed)
})

const galleryFails = ({ faults }: FakeAzure): void =>
  void faults.standing('CommunityGalleryImageVersions_List', { code: 'ServiceUnavailable', status: 503 })
const GALLERY = /AzureUnavailable: .*ServiceUnavailable.*retries within a minute.*check the status of Azure/

test('with an unreachable image gallery, a class without known images waits, and other classes work', async () => {
  const bed = await story()
  await bed.runs()
  galleryFails(bed.azure)
  await bed.client.create(aksNodeClassKind, {
    ...aksNodeClass('linux'),
    spec: { imageFamily: 'AzureLinux' },
  })
  await scale(bed, 40)
  await bed.runs(40, 600)
  expect(await bed.told('ImagesReady', 'linux')).toMatch(new RegExp(`^Unknown ${GALLERY.source}`))
  expect(await bed.events()).toMatch(GALLERY)
  expect(await bed.told('ImagesReady')).toMatch(/^True /)
  bed.azure.faults.recover()
  await bed.pass(120)
  expect(await bed.told('ImagesReady', 'linux')).toMatch(/^True /)
  await leavesNothing(bed)
})

test('with an image gallery that is unreachable from the start, nothing is created until it responds', async () => {
  const bed = await story({ before: galleryFails })
  await bed.pass(120)
  expect(await bed.told('ImagesReady')).toMatch(new RegExp(`^Unknown ${GALLERY.source}`))
  expect(bed.azure.resources()).toEqual([])
  bed.azure.faults.recover()
  await bed.runs()
  await leavesNothing(bed)
})

test('with a Resource Graph twenty minutes late, no running node counts as terminated, and every deleted one goes', async () => {
  const bed = await story()
  await bed.runs()
  bed.azure.graphLag = 1_200_000
  await scale(bed, 40)
  await bed.runs(40, 600)
  const before = idsOf(bed)
  await bed.pass(1_000)
  expect(await bed.run()).toBe(40)
  expect(idsOf(bed)).toEqual(before)
  await leavesNothing(bed)
})

test('VMs that Azure accepts and then fails to create, and a crash during their creation', async () => {
  const bed = await story()
  await bed.runs()
  const before = idsOf(bed)
  const failure = { code: 'AllocationFailed', message: 'Allocation failed. Try another size, or reduce the size.' }
  bed.azure.vms.laterFailures = [{ pattern: {}, failure }]
  const made = bed.azure.count('VirtualMachines_CreateOrUpdate')
  await scale(bed, 40)
  const told =
    /AsyncProvisioningError: Azure accepted VM \S+ but could not create it: AllocationFailed: .*Try another size/
  await bed.until('it is said', async () => told.test(await bed.events()), 300)
  const failed = bed.azure.count('VirtualMachines_CreateOrUpdate')
  expect(failed).toBeGreaterThan(made)
  bed.azure.vms.laterFailures = []
  await bed.restart()
  await bed.until('a VM under way', async () => bed.azure.count('VirtualMachines_CreateOrUpdate') > failed, 600)
  await bed.restart()
  await bed.runs(40, 3_600)
  expect(idsOf(bed)).toEqual(expect.arrayContaining([...before]))
  await bed.pass(600)
  const { items } = await bed.client.list(karpenterKinds.NodeClaim)
  const names = bed.vms().map(({ name }) => name)
  expect(names.toSorted()).toEqual(items.map(({ metadata }) => `aks-${metadata.name}`).toSorted())
  await leavesNothing(bed)
})

test('with an invalid maintenance window, no node is replaced and new nodes launch', async () => {
  const bed = await story()
  await bed.runs()
  const before = idsOf(bed)
  const newer = { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' }
  bed.azure.offer.imageVersions = [newer, ...bed.azure.offer.imageVersions]
  await setWindow(bed.client, {
    'aksManagedNodeOSUpgradeSchedule-start': 'on Sunday',
    'aksManagedNodeOSUpgradeSchedule-end': '2027-01-01T00:00:00Z',
  })
  // The restart makes Kerf request the versions of the galleries again.
  await bed.restart()
  await bed.pass(900)
  const told =
    /ConfigMap kube-system\/upcoming-maintenance-window: aksManaged\S+-start "on Sunday" is not an RFC 3339 time/
  expect(await bed.told('ImagesReady')).toMatch(told)
  expect(await bed.events()).toMatch(told)
  expect(idsOf(bed)).toEqual(before)
  await scale(bed, 40)
  await bed.runs(40, 600)
  expect(idsOf(bed)).toEqual(expect.arrayContaining([...before]))
  await leavesNothing(bed)
})
