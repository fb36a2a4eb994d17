import { conditionSets, findCondition, karpenterKinds, labels, setCondition } from '@kerf/apis'
import { coordinatesOf, isInsufficientCapacity, isNodeClaimNotFound } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { azureAnnotations } from '../names.ts'
import { aksNodeClassKind } from '../node-class/aks-node-class.ts'
import { NODE_CLASS_HASH_VERSION } from '../node-class/hash.ts'
import { CLASS, TOKEN } from './azure-world.ts'
import { azureWorldOf } from './conformance-worlds.ts'
import { failureOf, launch, minutes, never } from './launch.ts'

const needs = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

/** Checks of launches. They read the request bodies of VMs, including values that Azure never returns. */
const launchChecks: Checks = {
  C03: async (world) => {
    const { view } = await launch(world, 'a')
    const nodeClass = await azureWorldOf(world).nodeClass()
    const hash = nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [azureAnnotations.nodeClassHash]: hash,
      [azureAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
    })
    expect(view.annotations[azureAnnotations.inPlaceUpdateHash]).toMatch(/^\d+$/)
  },
  C20: async (world) => {
    const { azure } = azureWorldOf(world)
    for (const { family = '' } of azure.offer.skus) azure.offer.quotas.set(family, 1)
    const claim = await world.claim('a', { requirements: [needs(labels.capacityType, 'on-demand')] })
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    const out = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings
        .filter(({ available }) => !available)
        .map((offering) => coordinatesOf(type, offering).capacityType),
    )
    expect(new Set(out)).toEqual(new Set(['on-demand']))
    await world.clock.advance(minutes(11))
    expect(azure.resources()).toEqual([])
  },
  C23: async (world) => {
    const { azure } = azureWorldOf(world)
    const claim = await world.claim('a')
    world.cloud.fail('launch', 'auth')
    await failureOf(world.provider.create(claim, never))
    world.cloud.recover()
    await world.clock.advance(2_000)
    expect(azure.resources()).toEqual([])
  },
  C24: async (world) => {
    const { azure, client } = azureWorldOf(world)
    azure.vms.laterFailures = [
      { pattern: {}, failure: { code: 'ZonalAllocationFailed', message: 'Allocation failed.' } },
    ]
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
    // The interface is reserved for three minutes, and Resource Graph is behind.
    await world.clock.advance(minutes(15))
    expect(azure.resources()).toEqual([])
  },
  C26: async (world) => {
    const { azure } = azureWorldOf(world)
    await launch(world, 'a')
    const body = azure.bodies.findLast((text) => text.includes('customData')) ?? '{}'
    const { customData = '' }: { customData?: string } = JSON.parse(body).properties.osProfile
    const text = Buffer.from(customData, 'base64').toString()
    for (const part of [
      "API_SERVER_NAME='demo.hcp.southcentralus.azmk8s.io'",
      "KUBE_CA_CRT='Q0E='",
      `TLS_BOOTSTRAP_TOKEN='${TOKEN}'`,
      'karpenter.sh/unregistered:NoExecute',
      'karpenter.sh/nodepool=default',
      '--max-pods=250',
      '--kube-reserved=cpu=',
      '--cluster-dns=10.0.0.10',
      'kubernetes.azure.com/azure-cni-overlay=true',
      'nodenetwork-vnetguid=00000000-0000-0000-0000-0000000000aa',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/Bearer|token-\d/)
  },
  X05: async (world) => {
    const own = azureWorldOf(world)
    await launch(world, 'a')
    const everything = JSON.stringify([
      world.log.lines,
      world.events.events.map(({ reason, message }) => [reason, message]),
      (await own.nodeClass()).status,
      own.azure.resources(),
    ])
    expect(everything).not.toContain(TOKEN)
    expect(everything).not.toMatch(/Bearer|token-\d/)
  },
  X04: async (world) => {
    const { azure } = azureWorldOf(world)
    await launch(world, 'a')
    azure.tokens.revoke()
    expect((await launch(world, 'b')).view.providerID).toMatch(/aks-b$/)
  },
}

/** Checks of drift, for each drift reason. */
const driftChecks: Checks = {
  H02: async (world) => {
    const own = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    await own.change({ tags: { team: 'a' } })
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
    await own.change({ osDiskSizeGB: 200 })
    expect(await world.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
  },
  H03: async (world) => {
    const { claim } = await launch(world, 'a')
    const metadata = {
      annotations: { [azureAnnotations.nodeClassHash]: '1', [azureAnnotations.nodeClassHashVersion]: 'v2' },
    }
    await world.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    const old = { ...claim, metadata: { ...claim.metadata, ...metadata } }
    expect(await world.provider.isDrifted(old, never)).toBeUndefined()
    await world.client.patch(aksNodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata } })
    await world.clock.advance(1_000)
    const migrated = await world.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await azureWorldOf(world).nodeClass()
    expect(nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHashVersion]).toBe(NODE_CLASS_HASH_VERSION)
    expect(migrated.metadata.annotations?.[azureAnnotations.nodeClassHash]).toBe(
      nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHash],
    )
    expect(await world.provider.isDrifted(migrated, never)).toBeUndefined()
  },
  H04: async (world) => {
    const { azure } = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    azure.offer.imageVersions = [
      { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' },
      ...azure.offer.imageVersions,
    ]
    // Image versions are cached for three days.
    await world.clock.advance(minutes(60 * 24 * 3 + 30))
    expect(await world.provider.isDrifted(claim, never)).toBe('ImageDrift')
  },
  H07: async (world) => {
    const { claim } = await launch(world, 'a')
    const { status: _none, ...bare } = claim
    expect(await failureOf(world.provider.isDrifted(bare, never))).toBeInstanceOf(Error)
  },
}

/** Checks of instance types: settings of the class, and prices while Azure cannot be reached. */
const typeChecks: Checks = {
  T06: async (world) => {
    const own = azureWorldOf(world)
    const podsOf = async () => (await world.provider.instanceTypes(world.pool(), never))[0]?.capacity['pods']
    expect(await podsOf()).toBe(250_000_000_000n)
    await own.change({ maxPods: 30 })
    expect(await podsOf()).toBe(30_000_000_000n)
  },
  T09: async (world) => {
    const own = azureWorldOf(world)
    const pricesOf = async () =>
      (await world.provider.instanceTypes(world.pool(), never)).flatMap(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await pricesOf()
    own.azure.hasPrices = false
    await world.clock.advance(minutes(13 * 60))
    expect(await pricesOf()).toEqual(before)
    world.restart()
    expect((await pricesOf()).every((price) => (price ?? 0) > 0)).toBe(true)
  },
}

/** Checks of the provider's own controllers. */
const controllerChecks: Checks = {
  B05: async (world) => {
    const { azure } = azureWorldOf(world)
    // The connection breaks while the VM is requested, and the claim is deleted before a retry.
    let isAsked = false
    azure.faults.chance = (call) => {
      isAsked ||= call === 'VirtualMachines_CreateOrUpdate'
      return isAsked && call.startsWith('VirtualMachines_') ? { code: 'network' } : undefined
    }
    await failureOf(world.provider.create(await world.claim('a'), never))
    world.cloud.recover()
    expect(azure.resources().map(({ name }) => name)).toEqual(['aks-a'])
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(15))
    expect(azure.resources()).toEqual([])
  },
  B07: async (world) => {
    const own = azureWorldOf(world)
    await launch(world, 'a')
    await world.client.delete(aksNodeClassKind, { name: CLASS })
    await world.clock.advance(minutes(1))
    expect((await own.nodeClass()).metadata.deletionTimestamp).toBeDefined()
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(minutes(3))
    expect((await world.client.list(aksNodeClassKind)).items).toEqual([])
  },
  B08: async (world) => {
    const own = azureWorldOf(world)
    const condition = async (type: string) => findCondition(await own.nodeClass(), type)
    expect(await condition('Ready')).toMatchObject({ status: 'True' })
    await own.change({
      vnetSubnetID: '/subscriptions/1/resourceGroups/2/providers/Microsoft.Network/virtualNetworks/3/subnets/4',
    })
    expect(await condition('SubnetsReady')).toMatchObject({ status: 'False', reason: 'SubnetIDInvalid' })
    expect(await condition('Ready')).toMatchObject({ status: 'False' })
  },
  B09: async (world) => {
    const { azure, client } = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    const registered = { type: 'Registered', status: 'True' } as const
    const conditions = setCondition(conditionSets.NodeClaim, claim, registered, world.clock.now())
    const change = { type: 'merge', body: { status: { conditions } } } as const
    await client.patch(karpenterKinds.NodeClaim, { name: 'a' }, change, { subresource: 'status' })
    await world.clock.advance(minutes(1))
    // Values that a VM has from its launch are not written again.
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(0)
    await azureWorldOf(world).change({ tags: { team: 'a' } })
    await world.clock.advance(minutes(1))
    expect(azure.count('VirtualMachines_Update')).toBe(1)
    for (const { type, body } of azure.resources())
      if (!type.endsWith('disks')) expect(body['tags']).toMatchObject({ team: 'a' })
    await world.clock.advance(minutes(10))
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(2)
  },
  B10: async (world) => {
    const { azure } = azureWorldOf(world)
    const { claim, view } = await launch(world, 'a')
    await azureWorldOf(world).change({ tags: { team: 'a' } })
    await world.clock.advance(minutes(1))
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
    expect(azure.count('VirtualMachines_Delete')).toBe(0)
    expect((await world.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  D08: async (world, driver) => {
    const { azure } = azureWorldOf(world)
    const { claim } = await launch(world, 'a')
    await world.clock.advance(minutes(1))
    expect(azure.resources()).toHaveLength(3)
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.provider.delete(claim, never)
    await world.clock.advance(driver.terminationDelay + 1_000)
    expect(isNodeClaimNotFound(await failureOf(world.provider.delete(claim, never)))).toBe(true)
    await world.clock.advance(2_000)
    expect(azure.resources()).toEqual([])
  },
}

/** The checks of the conformance suite that this package implements. */
export const ownChecks: Checks = { ...launchChecks, ...driftChecks, ...typeChecks, ...controllerChecks }
