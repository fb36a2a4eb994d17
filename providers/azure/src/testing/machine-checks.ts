import { conditionSets, karpenterKinds, labels, setCondition } from '@kerf/apis'
import { isInsufficientCapacity, isNodeClaimNotFound, offeringCoordinates } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { harnesses } from './conformance-harnesses.ts'
import { expectRejection, launch, minutes, never } from './launch.ts'

const needs = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

/** Checks whose rule differs for machines of an AKS pool. */
export const machineChecks: Checks = {
  // A failed machine occupies its name, so the NodeClaim is deleted, and the next claim gets a remaining offering.
  C11: async (harness) => {
    const requirements = [needs(labels.capacityType, 'spot', 'on-demand')]
    const first = await launch(harness, 'spot', { requirements })
    expect(first.view.labels[labels.capacityType]).toBe('spot')
    harness.cloud.stockOut({ capacityType: 'spot' })
    let view: Readonly<Record<string, string>> | undefined
    for (let attempt = 0; view === undefined && attempt < 100; attempt++) {
      const claim = await harness.claim(`other-${attempt}`, { requirements })
      try {
        view = (await harness.provider.create(claim, never)).labels
      } catch (error) {
        expect(isInsufficientCapacity(error)).toBe(true)
      }
    }
    expect(view?.[labels.capacityType]).toBe('on-demand')
  },
  C24: async (harness) => {
    const { azure, client } = harnesses.of(harness)
    const failure = { code: 'ZonalAllocationFailed', message: 'Allocation failed.' }
    azure.vms.laterFailures = [{ pattern: {}, failure }]
    const { view } = await launch(harness, 'a', { requirements: [needs(labels.zone, 'southcentralus-2')] })
    await harness.clock.advance(minutes(1))
    azure.vms.laterFailures = []
    expect((await client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    const type = (await harness.provider.instanceTypes(harness.pool(), never)).find(
      ({ name }) => name === view.labels[labels.instanceType],
    )
    const out = type?.offerings
      .filter(({ available }) => !available)
      .map((each) => offeringCoordinates(type, each).zone)
    expect(new Set(out)).toEqual(new Set(['southcentralus-2']))
    expect(harness.events.events.map(({ reason }) => reason)).toContain('AsyncProvisioningError')
    await harness.clock.advance(minutes(1))
    expect(azure.machines.all()).toEqual([])
  },
  C26: async (harness) => {
    const { azure } = harnesses.of(harness)
    await launch(harness, 'a', { requirements: [needs(labels.capacityType, 'spot')] })
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
  // Each deleted NodeClaim makes one offering unavailable.
  T04: async (harness) => {
    const typesNow = () => harness.provider.instanceTypes(harness.pool(), never)
    const before = await typesNow()
    const [first] = before
    const isOut = async () =>
      (await typesNow()).find(({ name }) => name === first?.name)?.offerings.every(({ available }) => !available)
    harness.cloud.stockOut({})
    const requirements = [needs(labels.instanceType, first?.name ?? '')]
    for (let attempt = 0; attempt < 20 && (await isOut()) !== true; attempt++) {
      const claim = await harness.claim(`none-${attempt}`, { requirements })
      expect(isInsufficientCapacity(await expectRejection(harness.provider.create(claim, never)))).toBe(true)
    }
    expect(await isOut()).toBe(true)
    expect((await typesNow()).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  },
  X04: async (harness) => {
    const { azure } = harnesses.of(harness)
    await launch(harness, 'a')
    azure.tokens.revoke()
    expect((await launch(harness, 'b')).view.providerID).toMatch(/aks-kerf-b-12345678-vm$/)
  },
  B05: async (harness) => {
    const { azure } = harnesses.of(harness)
    // The connection breaks after the machine is requested, and the NodeClaim is deleted before a retry.
    let isAsked = false
    azure.faults.chance = (call) => {
      const wasAsked = isAsked
      isAsked ||= call === 'Machines_CreateOrUpdate'
      return wasAsked && call.startsWith('Machines_') ? { code: 'network' } : undefined
    }
    await expectRejection(harness.provider.create(await harness.claim('a'), never))
    harness.cloud.recover()
    expect(azure.machines.all().map(({ name }) => name)).toEqual(['a'])
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(15))
    expect(azure.machines.all()).toEqual([])
  },
  B09: async (harness) => {
    const { azure, client } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    await harness.clock.advance(minutes(1))
    const registered = { type: 'Registered', status: 'True' } as const
    const conditions = setCondition(conditionSets.NodeClaim, claim, registered, harness.clock.now())
    const change = { type: 'merge', body: { status: { conditions } } } as const
    await client.patch(karpenterKinds.NodeClaim, { name: 'a' }, change, { subresource: 'status' })
    await harness.clock.advance(minutes(1))
    // The provider does not rewrite values with which the machine was launched.
    expect(azure.count('Machines_CreateOrUpdate')).toBe(1)
    const before = azure.machines.all()[0]?.properties?.kubernetes
    await harnesses.of(harness).change({ tags: { team: 'a' } })
    await harness.clock.advance(minutes(10))
    expect(azure.count('Machines_CreateOrUpdate')).toBe(2)
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(0)
    const [machine] = azure.machines.all()
    expect(machine?.properties?.tags).toMatchObject({ team: 'a', 'karpenter.azure.com_aksmachine_nodeclaim': 'a' })
    expect(machine?.properties?.kubernetes).toEqual(before)
  },
  B10: async (harness) => {
    const { azure } = harnesses.of(harness)
    const { claim, view } = await launch(harness, 'a')
    await harnesses.of(harness).change({ tags: { team: 'a' } })
    await harness.clock.advance(minutes(1))
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
    expect(azure.count('AgentPools_DeleteMachines')).toBe(0)
    expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  D08: async (harness, driver) => {
    const { azure } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    await harness.clock.advance(minutes(1))
    expect(azure.resources()).toHaveLength(1)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.provider.delete(claim, never)
    await harness.clock.advance(driver.terminationDelay + 1_000)
    expect(isNodeClaimNotFound(await expectRejection(harness.provider.delete(claim, never)))).toBe(true)
    expect([azure.machines.all(), azure.resources()]).toEqual([[], []])
  },
}
