import { conditionSets, karpenterKinds, labels, setCondition } from '@kerf/apis'
import { coordinatesOf, isInsufficientCapacity, isNodeClaimNotFound } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { azureWorldOf } from './conformance-worlds.ts'
import { failureOf, launch, minutes, never } from './launch.ts'

const needs = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

/** Checks whose rule differs for machines of an AKS pool. */
export const machineChecks: Checks = {
  // A failed machine occupies its name, so the claim is deleted, and the next claim gets a remaining offering.
  C11: async (world) => {
    const requirements = [needs(labels.capacityType, 'spot', 'on-demand')]
    const first = await launch(world, 'spot', { requirements })
    expect(first.view.labels[labels.capacityType]).toBe('spot')
    world.cloud.stockOut({ capacityType: 'spot' })
    let view: Readonly<Record<string, string>> | undefined
    for (let attempt = 0; view === undefined && attempt < 100; attempt++) {
      const claim = await world.claim(`other-${attempt}`, { requirements })
      try {
        view = (await world.provider.create(claim, never)).labels
      } catch (error) {
        expect(isInsufficientCapacity(error)).toBe(true)
      }
    }
    expect(view?.[labels.capacityType]).toBe('on-demand')
  },
  C24: async (world) => {
    const { azure, client } = azureWorldOf(world)
    const failure = { code: 'ZonalAllocationFailed', message: 'Allocation failed.' }
    azure.vms.laterFailures = [{ pattern: {}, failure }]
    const { view } = await launch(world, 'a', { requirements: [needs(labels.zone, 'southcentralus-2')] })
    await world.clock.advance(minutes(1))
    azure.vms.laterFailures = []
    expect((await client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    const type = (await world.provider.instanceTypes(world.pool(), never)).find(
      ({ name }) => name === view.labels[labels.instanceType],
    )
    const out = type?.offerings.filter(({ available }) => !available).map((each) => coordinatesOf(type, each).zone)
    expect(new Set(out)).toEqual(new Set(['southcentralus-2']))
    expect(world.events.events.map(({ reason }) => reason)).toContain('AsyncProvisioningError')
    await world.clock.advance(minutes(1))
    expect(azure.machines.all()).toEqual([])
  },
  C26: async (world) => {
    const { azure } = azureWorldOf(world)
    await launch(world, 'a', { requirements: [needs(labels.capacityType, 'spot')] })
    const [machine] = azure.machines.all()
    expect(machine?.properties?.kubernetes).toMatchObject({
      nodeLabels: { 'karpenter.sh/nodepool': 'default', 'karpenter.sh/do-not-sync-taints': 'true' },
      nodeInitializationTaints: expect.arrayContaining(['karpenter.sh/unregistered:NoExecute']),
      nodeTaints: [],
      maxPods: 250,
    })
    const keys = Object.keys(machine?.properties?.kubernetes?.nodeLabels ?? {})
    // AKS refuses a machine with AKS's own labels.
    expect(keys.filter((key) => key.startsWith('kubernetes.azure.com/') || key === labels.arch)).toEqual([])
    expect(machine?.properties).toMatchObject({ priority: 'Spot', mode: 'User', operatingSystem: { osType: 'Linux' } })
  },
  // Each deleted claim makes one offering unavailable.
  T04: async (world) => {
    const typesNow = () => world.provider.instanceTypes(world.pool(), never)
    const before = await typesNow()
    const [first] = before
    const isOut = async () =>
      (await typesNow()).find(({ name }) => name === first?.name)?.offerings.every(({ available }) => !available)
    world.cloud.stockOut({})
    const requirements = [needs(labels.instanceType, first?.name ?? '')]
    for (let attempt = 0; attempt < 20 && (await isOut()) !== true; attempt++) {
      const claim = await world.claim(`none-${attempt}`, { requirements })
      expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    }
    expect(await isOut()).toBe(true)
    expect((await typesNow()).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  },
  X04: async (world) => {
    const { azure } = azureWorldOf(world)
    await launch(world, 'a')
    azure.tokens.revoke()
    expect((await launch(world, 'b')).view.providerID).toMatch(/aks-kerf-b-12345678-vm$/)
  },
  B05: async (world) => {
    const { azure } = azureWorldOf(world)
    // The connection breaks after the machine is requested, and the claim is deleted before a retry.
    let isAsked = false
    azure.faults.chance = (call) => {
      const wasAsked = isAsked
      isAsked ||= call === 'Machines_CreateOrUpdate'
      return wasAsked && call.startsWith('Machines_') ? { code: 'network' } : undefined
    }
    await failureOf(world.provider.create(await world.claim('a'), never))
    world.cloud.recover()
    expect(azure.machines.all().map(({ name }) => name)).toEqual(['a'])
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(15))
    expect(azure.machines.all()).toEqual([])
  },
  B09: async (world) => {
    const { azure, client } = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    await world.clock.advance(minutes(1))
    const registered = { type: 'Registered', status: 'True' } as const
    const conditions = setCondition(conditionSets.NodeClaim, claim, registered, world.clock.now())
    const change = { type: 'merge', body: { status: { conditions } } } as const
    await client.patch(karpenterKinds.NodeClaim, { name: 'a' }, change, { subresource: 'status' })
    await world.clock.advance(minutes(1))
    // Values that a machine has from its launch are not written again.
    expect(azure.count('Machines_CreateOrUpdate')).toBe(1)
    const before = azure.machines.all()[0]?.properties?.kubernetes
    await azureWorldOf(world).change({ tags: { team: 'a' } })
    await world.clock.advance(minutes(10))
    expect(azure.count('Machines_CreateOrUpdate')).toBe(2)
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(0)
    const [machine] = azure.machines.all()
    expect(machine?.properties?.tags).toMatchObject({ team: 'a', 'karpenter.azure.com_aksmachine_nodeclaim': 'a' })
    expect(machine?.properties?.kubernetes).toEqual(before)
  },
  B10: async (world) => {
    const { azure } = azureWorldOf(world)
    const { claim, view } = await launch(world, 'a')
    await azureWorldOf(world).change({ tags: { team: 'a' } })
    await world.clock.advance(minutes(1))
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
    expect(azure.count('AgentPools_DeleteMachines')).toBe(0)
    expect((await world.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  D08: async (world, driver) => {
    const { azure } = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    await world.clock.advance(minutes(1))
    expect(azure.resources()).toHaveLength(1)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.provider.delete(claim, never)
    await world.clock.advance(driver.terminationDelay + 1_000)
    expect(isNodeClaimNotFound(await failureOf(world.provider.delete(claim, never)))).toBe(true)
    expect([azure.machines.all(), azure.resources()]).toEqual([[], []])
  },
}
