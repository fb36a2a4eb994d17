import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { isInsufficientCapacity, isNodeClaimNotFound } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { parseNodeImageVersion } from './images/image-version.ts'
import { inPlaceUpdateHash } from './in-place/in-place-update-hash.ts'
import { azureProviderId, nameInAksPool } from './instances/instance-names.ts'
import { azureAnnotations } from './names.ts'
import { TAG } from './tags/resource-tags.ts'
import { type AzureHarnessOptions, createAzureHarness } from './testing/azure-harness.ts'
import { expectRejection, launch, minutes, never } from './testing/launch.ts'
import { createMachineHarness, earlierMachine, MANAGED, machineTags } from './testing/machine-harness.ts'

const IMAGE = 'AKSUbuntu-2204gen2containerd-202601.05.0'

const machineHarness = async (options: AzureHarnessOptions = {}) => {
  const harness = await createMachineHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}

/** The data that upstream stores for a node that is a machine. */
const takenOver = async (harness: Awaited<ReturnType<typeof machineHarness>>, name: string): Promise<NodeClaim> => {
  const nodeClass = await harness.nodeClass()
  const tags = machineTags(name, 'default')
  const image = parseNodeImageVersion(nodeClass.status?.images?.[0]?.id ?? '') ?? IMAGE
  const providerID = azureProviderId(harness.azure.machines.plant(name, earlierMachine(tags), minutes(60), image))
  const { [TAG.machineClaim]: _claim, ...hashed } = tags
  const metadata = {
    annotations: {
      ...nodeClass.metadata.annotations,
      [azureAnnotations.inPlaceUpdateHash]: inPlaceUpdateHash({ identities: [], tags: hashed }),
    },
  }
  await harness.claim(name)
  await harness.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body: { metadata } })
  const conditions = [
    {
      type: 'Registered',
      status: 'True',
      reason: 'Registered',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]
  const body = { status: { providerID, imageID: image, conditions } }
  return harness.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body }, { subresource: 'status' })
}

test('machines taken over from karpenter-provider-azure keep their nodes, and none is changed', async () => {
  const harness = await machineHarness()
  const claims = [await takenOver(harness, 'default-1'), await takenOver(harness, 'default-2')]
  harness.azure.requests.length = 0
  await harness.clock.advance(minutes(60))
  expect(harness.azure.count('Machines_CreateOrUpdate', 'AgentPools_DeleteMachines')).toBe(0)
  for (const claim of claims) expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
  expect((await harness.provider.list(never)).map(({ nodeClaimName }) => nodeClaimName)).toEqual([
    'default-1',
    'default-2',
  ])
})

test('after switching back to VMs, existing machines are managed until their claims are deleted', async () => {
  const harness = await createAzureHarness({
    durations: { nic: 0, creation: 20_000, deletion: 4_000 },
    env: { ...MANAGED, USE_SIG: 'false', MANAGE_EXISTING_AKS_MACHINES: 'true' },
  })
  onTestFinished(() => harness.stop())
  const old = await takenOver(harness, 'old')
  const { view } = await launch(harness, 'new')
  expect(view.providerID).toMatch(/aks-new$/)
  await harness.clock.advance(minutes(15))
  const listed = (await harness.provider.list(never)).map(({ providerID }) => providerID)
  expect(listed.toSorted()).toEqual([old.status?.providerID, view.providerID].toSorted())
  await harness.provider.delete(old, never)
  await harness.clock.advance(10_000)
  expect(isNodeClaimNotFound(await expectRejection(harness.provider.delete(old, never)))).toBe(true)
  expect(harness.azure.machines.all()).toEqual([])
})

test('without the setting, machines are ignored', async () => {
  const harness = await createAzureHarness()
  onTestFinished(() => harness.stop())
  harness.azure.machines.plant('gone', earlierMachine(machineTags('gone', 'default')), minutes(60), IMAGE)
  await harness.clock.advance(minutes(15))
  expect(await harness.provider.list(never)).toEqual([])
  expect(harness.azure.machines.all()).toHaveLength(1)
  expect(harness.azure.count('Machines_List')).toBe(0)
})

test('after switching to machines, an existing VM of Kerf is deleted with its claim', async () => {
  const harness = await machineHarness()
  const tags = { [TAG.cluster]: 'demo', [TAG.billing]: 'linux', [TAG.nodePool]: 'default' }
  const properties = { hardwareProfile: { vmSize: 'Standard_D2_v5' }, priority: 'Regular' } as const
  const id = harness.azure.vms.plant('aks-old', { tags, properties }, minutes(60))
  expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([azureProviderId(id)])
  // The VM has no NodeClaim, so garbage collection deletes it like a machine.
  await harness.clock.advance(minutes(15))
  expect(harness.azure.resources()).toEqual([])
})

test('a machine that AKS wants to recreate drifts, and one whose image the class no longer has', async () => {
  const harness = await machineHarness()
  const { claim } = await launch(harness, 'a')
  expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
  harness.azure.machines.drift('a', 'Recreate')
  await harness.clock.advance(minutes(1))
  expect(await harness.provider.isDrifted(claim, never)).toBe('ClusterConfigDrift')
  harness.azure.machines.drift('a', 'Synced')
  await harness.clock.advance(minutes(1))
  expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
  const old = await takenOver(harness, 'old')
  harness.azure.machines.end('old')
  harness.azure.machines.plant('old', earlierMachine(machineTags('old', 'default')), 0, 'AKSUbuntu-2204containerd-1')
  await harness.clock.advance(minutes(1))
  expect(await harness.provider.isDrifted(old, never)).toBe('ImageDrift')
})

test('drift of all machines is checked with one list per minute, and a newer machine is read individually', async () => {
  const harness = await machineHarness()
  const claims = [await takenOver(harness, 'a'), await takenOver(harness, 'b'), await takenOver(harness, 'c')]
  harness.azure.requests.length = 0
  await Promise.all(claims.map((claim) => harness.provider.isDrifted(claim, never)))
  expect([harness.azure.count('Machines_List'), harness.azure.count('Machines_Get')]).toEqual([1, 0])
  const late = await takenOver(harness, 'd')
  expect(await harness.provider.isDrifted(late, never)).toBeUndefined()
  expect([harness.azure.count('Machines_List'), harness.azure.count('Machines_Get')]).toEqual([1, 1])
})

test('a size that AKS does not support becomes unavailable; other immediate refusals make nothing unavailable', async () => {
  const harness = await machineHarness()
  const out = async () =>
    (await harness.provider.instanceTypes(harness.pool(), never)).filter(({ offerings }) =>
      offerings.every(({ available }) => !available),
    ).length
  harness.azure.machines.refusal = { code: 'AllocationFailed', message: 'Allocation failed.' }
  expect(isInsufficientCapacity(await expectRejection(harness.provider.create(await harness.claim('a'), never)))).toBe(
    false,
  )
  expect(await out()).toBe(0)
  harness.azure.machines.refusal = { code: 'VMSizeNotSupported', message: 'The VM size is not supported.' }
  expect(isInsufficientCapacity(await expectRejection(harness.provider.create(await harness.claim('b'), never)))).toBe(
    true,
  )
  expect(await out()).toBeGreaterThan(0)
  expect(harness.azure.machines.all()).toEqual([])
})

test('a missing pool has no machines, and a launch reports it', async () => {
  const harness = await machineHarness()
  const claim = await takenOver(harness, 'a')
  harness.azure.machines.pools = new Set()
  expect(await harness.provider.list(never)).toEqual([])
  expect(isNodeClaimNotFound(await expectRejection(harness.provider.get(claim.status?.providerID ?? '', never)))).toBe(
    true,
  )
  expect(isNodeClaimNotFound(await expectRejection(harness.provider.delete(claim, never)))).toBe(true)
  expect(`${await expectRejection(harness.provider.create(await harness.claim('b'), never))}`).toContain(
    'Could not find the agent pool',
  )
})

test('the machine of another claim with the same name is not adopted', async () => {
  const harness = await machineHarness()
  const name = 'a-name-that-is-much-too-long-for-a-machine-x1'
  const tags = machineTags('another', 'default')
  harness.azure.machines.plant(nameInAksPool(name), earlierMachine(tags), 0, IMAGE)
  const error = await expectRejection(harness.provider.create(await harness.claim(name), never))
  expect(`${error}`).toContain('belongs to nodeclaim another')
  expect(harness.azure.count('Machines_CreateOrUpdate')).toBe(0)
})

test('the machine of a claim with a long name has a short name, and is found by it after a restart', async () => {
  const harness = await machineHarness()
  const name = 'a-name-that-is-much-too-long-for-a-machine-x1'
  const { view } = await launch(harness, name, { requirements: [{ key: labels.capacityType, operator: 'Exists' }] })
  expect(view.nodeClaimName).toBe(name)
  const [{ name: short = '' } = {}] = harness.azure.machines.all()
  expect(short).toHaveLength(34)
  const found = await harness.newProvider().get(view.providerID, never)
  expect([found.nodeClaimName, found.annotations[azureAnnotations.machineResourceId]]).toEqual([
    name,
    expect.stringMatching(new RegExp(`/machines/${short}$`)),
  ])
})

test('a failed machine without a VM is garbage collected', async () => {
  const harness = await machineHarness()
  const { azure, client } = harness
  const claim = await harness.claim('a')
  harness.azure.vms.stockOuts = [{}]
  azure.faults.standing('AgentPools_DeleteMachines', { code: 'InternalServerError', status: 500 })
  expect(isInsufficientCapacity(await expectRejection(harness.provider.create(claim, never)))).toBe(true)
  azure.faults.recover()
  // The provider ID identifies the machine. A placeholder replaces the number that AKS never assigned.
  expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([
    expect.stringMatching(/\/virtualMachines\/aks-kerf-a-00000000-vm$/),
  ])
  const [machine] = azure.machines.all()
  expect([machine?.properties?.provisioningState, machine?.properties?.resourceId]).toEqual(['Failed', undefined])
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  await harness.clock.advance(minutes(15))
  expect(azure.machines.all()).toEqual([])
})

test('tags do not overwrite a concurrent change, and an update sends only the writable fields of a machine', async () => {
  const harness = await machineHarness()
  const { azure, clock } = harness
  const dns = { mode: 'Required', vnetDNSOverrides: {}, kubeDNSOverrides: {} } as const
  await takenOver(harness, 'a')
  const [{ properties: { nodeImageVersion = '' } = {} } = {}] = azure.machines.all()
  const { zones = [], properties } = earlierMachine(machineTags('a', 'default'))
  azure.machines.plant(
    'a',
    { zones, properties: { ...properties, localDNSProfile: dns } },
    minutes(60),
    nodeImageVersion,
  )
  let isChanged = false
  azure.faults.chance = (call) => {
    // The change happens between reading and writing.
    if (call === 'Machines_CreateOrUpdate' && !isChanged) azure.machines.drift('a', 'Recreate')
    isChanged ||= call === 'Machines_CreateOrUpdate'
    return undefined
  }
  await harness.change({ tags: { team: 'a' } })
  await clock.advance(minutes(5))
  const [machine] = azure.machines.all()
  expect(azure.count('Machines_CreateOrUpdate')).toBe(2)
  expect(machine?.properties).toMatchObject({
    ...{ tags: { team: 'a' }, provisioningState: 'Succeeded', localDNSProfile: dns },
    status: { driftAction: 'Recreate' },
  })
})

test('a machine that is being deleted is listed until it is gone', async () => {
  const harness = await machineHarness({ durations: { nic: 0, creation: 0, deletion: minutes(5) } })
  const claim = await takenOver(harness, 'a')
  const { providerID = '' } = claim.status ?? {}
  await harness.provider.delete(claim, never)
  expect(
    (await harness.provider.list(never)).map((view) => [view.providerID, view.deletionTimestamp !== undefined]),
  ).toEqual([[providerID, true]])
  expect((await harness.provider.get(providerID, never)).deletionTimestamp).toBeDefined()
  // The provider requests the deletion only once.
  await harness.provider.delete(claim, never)
  expect(harness.azure.count('AgentPools_DeleteMachines')).toBe(1)
  await harness.clock.advance(minutes(6))
  expect(isNodeClaimNotFound(await expectRejection(harness.provider.get(providerID, never)))).toBe(true)
})
