import { karpenterKinds } from '@kerf/apis'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import type { FakeAzure } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import { testOneIn } from '@kerf/testing/sampled-test'
import { expect } from 'vitest'
import { leavesNothing, type Story, scale, story } from './azure-story.ts'
import { setWindow } from './kerf-on-fake-azure.ts'

const testSome = testOneIn(4, 'bad input on Azure')

const harnessIds = (harness: Story): readonly string[] => harness.vms().map(({ id }) => id)

/**
 * Asserts that the fault keeps new nodes from launching, that a condition and an event contain the reason, that three running pods stay,
 * and that Kerf recovers.
 */
const hinders = async (
  harness: Story,
  { begin, end, says }: { readonly begin: () => unknown; readonly end: () => unknown; readonly says: RegExp },
): Promise<void> => {
  await harness.runs()
  const before = harnessIds(harness)
  await begin()
  await scale(harness, 40)
  await harness.pass(240)
  expect(await harness.launches()).toContainEqual(expect.stringMatching(says))
  expect(await harness.events()).toMatch(says)
  expect(harnessIds(harness)).toEqual(before)
  expect(await harness.run()).toBeGreaterThanOrEqual(3)
  await end()
  await harness.runs(40, 7_200)
  await leavesNothing(harness)
}

testSome('an expired identity', async () => {
  const harness = await story()
  await hinders(harness, {
    begin: () => {
      harness.azure.tokens.hasIdentity = false
      harness.azure.tokens.revoke()
    },
    end: () => {
      harness.azure.tokens.hasIdentity = true
    },
    says: /CredentialsRefused: .*AADSTS700016.*check the federated credential of its service account/,
  })
})

testSome('an identity that is missing from the start', async () => {
  const harness = await story({
    before: (azure) => {
      azure.tokens.hasIdentity = false
    },
  })
  await harness.pass(240)
  expect(await harness.told('SubnetsReady')).toMatch(/^Unknown .*AADSTS700016.*check the federated credential/)
  expect(await harness.events()).toMatch(/^CredentialsRefused: .*AADSTS700016.*check the federated credential/m)
  expect(harness.azure.resources()).toEqual([])
  harness.azure.tokens.hasIdentity = true
  await harness.runs()
  await leavesNothing(harness)
})

const WRONG = { AZURE_NODE_RESOURCE_GROUP: 'MC_other' }
const NO_GROUP = /ResourceGroupNotFound: Resource group 'MC_other' could not be found.*Check AZURE_NODE_RESOURCE_GROUP/

testSome('with a wrong resource group, nothing is created', async () => {
  const harness = await story({ env: WRONG })
  await harness.pass(240)
  expect(await harness.launches()).toContainEqual(expect.stringMatching(NO_GROUP))
  expect(await harness.events()).toMatch(NO_GROUP)
  expect(harness.azure.resources()).toEqual([])
  await harness.restart()
  await harness.runs()
  await leavesNothing(harness)
})

testSome('with a wrong resource group and existing nodes, the nodes stay and none counts as terminated', async () => {
  const harness = await story()
  await harness.runs()
  const [before, { items: claims }] = [harnessIds(harness), await harness.client.list(karpenterKinds.NodeClaim)]
  await harness.restart(WRONG)
  await harness.pass(1_800)
  const { items } = await harness.client.list(karpenterKinds.NodeClaim)
  expect(items.map(({ metadata }) => metadata.uid)).toEqual(claims.map(({ metadata }) => metadata.uid))
  expect(harnessIds(harness)).toEqual(before)
  await harness.restart()
  await harness.runs()
  await leavesNothing(harness)
})

testSome('a full subnet', async () => {
  const harness = await story()
  await hinders(harness, {
    begin: () => {
      harness.azure.nics.addresses = 0
    },
    end: () => {
      harness.azure.nics.addresses = 100
    },
    says: /SubnetIsFull: .*does not have enough capacity.*Free addresses of the subnet, enlarge it, or set another one/,
  })
})

testSome('sizes that the subscription may not use are named in a message and not requested again', async () => {
  const harness = await story()
  await harness.runs()
  const before = harnessIds(harness)
  const restricted = {
    code: 'SkuNotAvailable',
    status: 409,
    message: 'The requested VM size is not available in location southcentralus. Please try another size.',
  }
  harness.azure.faults.standing('VirtualMachines_CreateOrUpdate', restricted)
  await scale(harness, 40)
  await harness.pass(240)
  expect(await harness.events()).toMatch(/Standard_\w+ \(on-demand, zone .*SkuNotAvailable: .*Please try another size/)
  const asked = harness.azure.count('VirtualMachines_CreateOrUpdate')
  await harness.pass(600)
  expect(harness.azure.count('VirtualMachines_CreateOrUpdate')).toBe(asked)
  expect(harnessIds(harness)).toEqual(before)
  expect(await harness.run()).toBeGreaterThanOrEqual(3)
  harness.azure.faults.recover()
  await harness.restart()
  await harness.runs(40, 1_200)
  await leavesNothing(harness)
})

const galleryFails = ({ faults }: FakeAzure): void =>
  void faults.standing('CommunityGalleryImageVersions_List', { code: 'ServiceUnavailable', status: 503 })
const GALLERY = /AzureUnavailable: .*ServiceUnavailable.*retries within a minute.*check the status of Azure/

testSome('with an unreachable image gallery, a class without known images waits, and other classes work', async () => {
  const harness = await story()
  await harness.runs()
  galleryFails(harness.azure)
  await harness.client.create(aksNodeClassKind, {
    ...aksNodeClass('linux'),
    spec: { imageFamily: 'AzureLinux' },
  })
  await scale(harness, 40)
  await harness.runs(40, 600)
  expect(await harness.told('ImagesReady', 'linux')).toMatch(new RegExp(`^Unknown ${GALLERY.source}`))
  expect(await harness.events()).toMatch(GALLERY)
  expect(await harness.told('ImagesReady')).toMatch(/^True /)
  harness.azure.faults.recover()
  await harness.pass(120)
  expect(await harness.told('ImagesReady', 'linux')).toMatch(/^True /)
  await leavesNothing(harness)
})

testSome('with an image gallery that is unreachable from the start, nothing is created until it responds', async () => {
  const harness = await story({ before: galleryFails })
  await harness.pass(120)
  expect(await harness.told('ImagesReady')).toMatch(new RegExp(`^Unknown ${GALLERY.source}`))
  expect(harness.azure.resources()).toEqual([])
  harness.azure.faults.recover()
  await harness.runs()
  await leavesNothing(harness)
})

testSome(
  'if Resource Graph lags by twenty minutes, no running node counts as terminated, and every deleted one is removed',
  async () => {
    const harness = await story()
    await harness.runs()
    harness.azure.graphLag = 1_200_000
    await scale(harness, 40)
    await harness.runs(40, 600)
    const before = harnessIds(harness)
    await harness.pass(1_000)
    expect(await harness.run()).toBe(40)
    expect(harnessIds(harness)).toEqual(before)
    await leavesNothing(harness)
  },
)

testSome('VMs that Azure accepts and then fails to create, and a crash during their creation', async () => {
  const harness = await story()
  await harness.runs()
  const before = harnessIds(harness)
  const failure = { code: 'AllocationFailed', message: 'Allocation failed. Try another size, or reduce the size.' }
  harness.azure.vms.laterFailures = [{ pattern: {}, failure }]
  const made = harness.azure.count('VirtualMachines_CreateOrUpdate')
  await scale(harness, 40)
  const told =
    /AsyncProvisioningError: Azure accepted VM \S+ but could not create it: AllocationFailed: .*Try another size/
  await harness.until('it is said', async () => told.test(await harness.events()), 300)
  const failed = harness.azure.count('VirtualMachines_CreateOrUpdate')
  expect(failed).toBeGreaterThan(made)
  harness.azure.vms.laterFailures = []
  await harness.restart()
  await harness.until('a VM under way', async () => harness.azure.count('VirtualMachines_CreateOrUpdate') > failed, 600)
  await harness.restart()
  await harness.runs(40, 3_600)
  expect(harnessIds(harness)).toEqual(expect.arrayContaining([...before]))
  await harness.pass(600)
  const { items } = await harness.client.list(karpenterKinds.NodeClaim)
  const names = harness.vms().map(({ name }) => name)
  expect(names.toSorted()).toEqual(items.map(({ metadata }) => `aks-${metadata.name}`).toSorted())
  await leavesNothing(harness)
})

testSome('with an invalid maintenance window, no node is replaced and new nodes launch', async () => {
  const harness = await story()
  await harness.runs()
  const before = harnessIds(harness)
  const newer = { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' }
  harness.azure.offer.imageVersions = [newer, ...harness.azure.offer.imageVersions]
  await setWindow(harness.client, {
    'aksManagedNodeOSUpgradeSchedule-start': 'on Sunday',
    'aksManagedNodeOSUpgradeSchedule-end': '2027-01-01T00:00:00Z',
  })
  // The restart makes Kerf request the versions of the galleries again.
  await harness.restart()
  await harness.pass(900)
  const told =
    /ConfigMap kube-system\/upcoming-maintenance-window: aksManaged\S+-start "on Sunday" is not an RFC 3339 time/
  expect(await harness.told('ImagesReady')).toMatch(told)
  expect(await harness.events()).toMatch(told)
  expect(harnessIds(harness)).toEqual(before)
  await scale(harness, 40)
  await harness.runs(40, 600)
  expect(harnessIds(harness)).toEqual(expect.arrayContaining([...before]))
  await leavesNothing(harness)
})
