import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { isInsufficientCapacity, isNodeClaimNotFound } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { nodeImageVersionOf } from './images/image-version.ts'
import { inPlaceUpdateHash } from './in-place/in-place-update-hash.ts'
import { nameInAksPool, providerIdOf } from './instances/instance-names.ts'
import { azureAnnotations } from './names.ts'
import { TAG } from './tags/resource-tags.ts'
import { type AzureWorldOptions, createAzureWorld } from './testing/azure-world.ts'
import { failureOf, launch, minutes, never } from './testing/launch.ts'
import { createMachineWorld, earlierMachine, MANAGED, machineTags } from './testing/machine-world.ts'

const IMAGE = 'AKSUbuntu-2204gen2containerd-202601.05.0'

const machineWorld = async (options: AzureWorldOptions = {}) => {
  const world = await createMachineWorld(options)
  onTestFinished(() => world.stop())
  return world
}

/** The data that upstream stores for a node that is a machine. */
const takenOver = async (world: Awaited<ReturnType<typeof machineWorld>>, name: string): Promise<NodeClaim> => {
  const nodeClass = await world.nodeClass()
  const tags = machineTags(name, 'default')
  const image = nodeImageVersionOf(nodeClass.status?.images?.[0]?.id ?? '') ?? IMAGE
  const providerID = providerIdOf(world.azure.machines.plant(name, earlierMachine(tags), minutes(60), image))
  const { [TAG.machineClaim]: _claim, ...hashed } = tags
  const metadata = {
    annotations: {
      ...nodeClass.metadata.annotations,
      [azureAnnotations.inPlaceUpdateHash]: inPlaceUpdateHash({ identities: [], tags: hashed }),
    },
  }
  await world.claim(name)
  await world.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body: { metadata } })
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
  return world.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body }, { subresource: 'status' })
}

test('machines taken over from karpenter-provider-azure keep their nodes, and none is changed', async () => {
  const world = await machineWorld()
  const claims = [await takenOver(world, 'default-1'), await takenOver(world, 'default-2')]
  world.azure.requests.length = 0
  await world.clock.advance(minutes(60))
  expect(world.azure.count('Machines_CreateOrUpdate', 'AgentPools_DeleteMachines')).toBe(0)
  for (const claim of claims) expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
  expect((await world.provider.list(never)).map(({ nodeClaimName }) => nodeClaimName)).toEqual([
    'default-1',
    'default-2',
  ])
})

test('after switching back to VMs, existing machines are managed until their claims are deleted', async () => {
  const world = await createAzureWorld({
    durations: { nic: 0, creation: 20_000, deletion: 4_000 },
    env: { ...MANAGED, USE_SIG: 'false', MANAGE_EXISTING_AKS_MACHINES: 'true' },
  })
  onTestFinished(() => world.stop())
  const old = await takenOver(world, 'old')
  const { view } = await launch(world, 'new')
  expect(view.providerID).toMatch(/aks-new$/)
  await world.clock.advance(minutes(15))
  const listed = (await world.provider.list(never)).map(({ providerID }) => providerID)
  expect(listed.toSorted()).toEqual([old.status?.providerID, view.providerID].toSorted())
  await world.provider.delete(old, never)
  await world.clock.advance(10_000)
  expect(isNodeClaimNotFound(await failureOf(world.provider.delete(old, never)))).toBe(true)
  expect(world.azure.machines.all()).toEqual([])
})

test('without the setting, machines are ignored', async () => {
  const world = await createAzureWorld()
  onTestFinished(() => world.stop())
  world.azure.machines.plant('gone', earlierMachine(machineTags('gone', 'default')), minutes(60), IMAGE)
  await world.clock.advance(minutes(15))
  expect(await world.provider.list(never)).toEqual([])
  expect(world.azure.machines.all()).toHaveLength(1)
  expect(world.azure.count('Machines_List')).toBe(0)
})

test('after switching to machines, an existing VM of Kerf is deleted with its claim', async () => {
  const world = await machineWorld()
  const tags = { [TAG.cluster]: 'demo', [TAG.billing]: 'linux', [TAG.nodePool]: 'default' }
  const properties = { hardwareProfile: { vmSize: 'Standard_D2_v5' }, priority: 'Regular' } as const
  const id = world.azure.vms.plant('aks-old', { tags, properties }, minutes(60))
  expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toEqual([providerIdOf(id)])
  // Its claim is gone, so it is garbage collected like a machine.
  await world.clock.advance(minutes(15))
  expect(world.azure.resources()).toEqual([])
})

test('a machine that AKS wants to recreate drifts, and one whose image the class no longer has', async () => {
  const world = await machineWorld()
  const { claim } = await launch(world, 'a')
  expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
  world.azure.machines.drift('a', 'Recreate')
  await world.clock.advance(minutes(1))
  expect(await world.provider.isDrifted(claim, never)).toBe('ClusterConfigDrift')
  world.azure.machines.drift('a', 'Synced')
  await world.clock.advance(minutes(1))
  expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
  const old = await takenOver(world, 'old')
  world.azure.machines.end('old')
  world.azure.machines.plant('old', earlierMachine(machineTags('old', 'default')), 0, 'AKSUbuntu-2204containerd-1')
  await world.clock.advance(minutes(1))
  expect(await world.provider.isDrifted(old, never)).toBe('ImageDrift')
})

test('drift of all machines is checked with one list per minute, and a newer machine is read individually', async () => {
  const world = await machineWorld()
  const claims = [await takenOver(world, 'a'), await takenOver(world, 'b'), await takenOver(world, 'c')]
  world.azure.requests.length = 0
  await Promise.all(claims.map((claim) => world.provider.isDrifted(claim, never)))
  expect([world.azure.count('Machines_List'), world.azure.count('Machines_Get')]).toEqual([1, 0])
  const late = await takenOver(world, 'd')
  expect(await world.provider.isDrifted(late, never)).toBeUndefined()
  expect([world.azure.count('Machines_List'), world.azure.count('Machines_Get')]).toEqual([1, 1])
})

test('a size that AKS does not support becomes unavailable; other immediate refusals make nothing unavailable', async () => {
  const world = await machineWorld()
  const out = async () =>
    (await world.provider.instanceTypes(world.pool(), never)).filter(({ offerings }) =>
      offerings.every(({ available }) => !available),
    ).length
  world.azure.machines.refusal = { code: 'AllocationFailed', message: 'Allocation failed.' }
  expect(isInsufficientCapacity(await failureOf(world.provider.create(await world.claim('a'), never)))).toBe(false)
  expect(await out()).toBe(0)
  world.azure.machines.refusal = { code: 'VMSizeNotSupported', message: 'The VM size is not supported.' }
  expect(isInsufficientCapacity(await failureOf(world.provider.create(await world.claim('b'), never)))).toBe(true)
  expect(await out()).toBeGreaterThan(0)
  expect(world.azure.machines.all()).toEqual([])
})

test('a missing pool has no machines, and a launch reports it', async () => {
  const world = await machineWorld()
  const claim = await takenOver(world, 'a')
  world.azure.machines.pools = new Set()
  expect(await world.provider.list(never)).toEqual([])
  expect(isNodeClaimNotFound(await failureOf(world.provider.get(claim.status?.providerID ?? '', never)))).toBe(true)
  expect(isNodeClaimNotFound(await failureOf(world.provider.delete(claim, never)))).toBe(true)
  expect(`${await failureOf(world.provider.create(await world.claim('b'), never))}`).toContain(
    'Could not find the agent pool',
  )
})

test('the machine of another claim with the same name is not adopted', async () => {
  const world = await machineWorld()
  const name = 'a-name-that-is-much-too-long-for-a-machine-x1'
  const tags = machineTags('another', 'default')
  world.azure.machines.plant(nameInAksPool(name), earlierMachine(tags), 0, IMAGE)
  const error = await failureOf(world.provider.create(await world.claim(name), never))
  expect(`${error}`).toContain('belongs to nodeclaim another')
  expect(world.azure.count('Machines_CreateOrUpdate')).toBe(0)
})

test('the machine of a claim with a long name has a short name, and is found by it after a restart', async () => {
  const world = await machineWorld()
  const name = 'a-name-that-is-much-too-long-for-a-machine-x1'
  const { view } = await launch(world, name, { requirements: [{ key: labels.capacityType, operator: 'Exists' }] })
  expect(view.nodeClaimName).toBe(name)
  const [{ name: short = '' } = {}] = world.azure.machines.all()
  expect(short).toHaveLength(34)
  const found = await world.newProvider().get(view.providerID, never)
  expect([found.nodeClaimName, found.annotations[azureAnnotations.machineResourceId]]).toEqual([
    name,
    expect.stringMatching(new RegExp(`/machines/${short}$`)),
  ])
})

test('a failed machine without a VM is garbage collected', async () => {
  const world = await machineWorld()
  const { azure, client } = world
  const claim = await world.claim('a')
  world.azure.vms.stockOuts = [{}]
  azure.faults.standing('AgentPools_DeleteMachines', { code: 'InternalServerError', status: 500 })
  expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
  azure.faults.recover()
  // Its provider ID identifies the machine. The number that AKS never assigned is a placeholder.
  expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toEqual([
    expect.stringMatching(/\/virtualMachines\/aks-kerf-a-00000000-vm$/),
  ])
  const [machine] = azure.machines.all()
  expect([machine?.properties?.provisioningState, machine?.properties?.resourceId]).toEqual(['Failed', undefined])
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  await world.clock.advance(minutes(15))
  expect(azure.machines.all()).toEqual([])
})

test('tags do not overwrite a concurrent change, and an update sends only the writable fields of a machine', async () => {
  const world = await machineWorld()
  const { azure, clock } = world
  const dns = { mode: 'Required', vnetDNSOverrides: {}, kubeDNSOverrides: {} } as const
  await takenOver(world, 'a')
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
  await world.change({ tags: { team: 'a' } })
  await clock.advance(minutes(5))
  const [machine] = azure.machines.all()
  expect(azure.count('Machines_CreateOrUpdate')).toBe(2)
  expect(machine?.properties).toMatchObject({
    ...{ tags: { team: 'a' }, provisioningState: 'Succeeded', localDNSProfile: dns },
    status: { driftAction: 'Recreate' },
  })
})

test('a machine that is being deleted is listed until it is gone', async () => {
  const world = await machineWorld({ durations: { nic: 0, creation: 0, deletion: minutes(5) } })
  const claim = await takenOver(world, 'a')
  const { providerID = '' } = claim.status ?? {}
  await world.provider.delete(claim, never)
  expect(
    (await world.provider.list(never)).map((view) => [view.providerID, view.deletionTimestamp !== undefined]),
  ).toEqual([[providerID, true]])
  expect((await world.provider.get(providerID, never)).deletionTimestamp).toBeDefined()
  // The deletion is requested once.
  await world.provider.delete(claim, never)
  expect(world.azure.count('AgentPools_DeleteMachines')).toBe(1)
  await world.clock.advance(minutes(6))
  expect(isNodeClaimNotFound(await failureOf(world.provider.get(providerID, never)))).toBe(true)
})
