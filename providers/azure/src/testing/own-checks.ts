import { conditionSets, findCondition, karpenterKinds, labels, setCondition } from '@kerf/apis'
import { isInsufficientCapacity, isNodeClaimNotFound, offeringCoordinates } from '@kerf/provider-contract'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { azureAnnotations } from '../names.ts'
import { aksNodeClassKind } from '../node-class/aks-node-class.ts'
import { NODE_CLASS_HASH_VERSION } from '../node-class/hash.ts'
import { CLASS, TOKEN } from './azure-harness.ts'
import { harnesses } from './conformance-harnesses.ts'
import { expectRejection, launch, minutes, never } from './launch.ts'

const needs = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

/** Checks of launches. They read the request bodies of VMs, including values that Azure never returns. */
const launchChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const nodeClass = await harnesses.of(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [azureAnnotations.nodeClassHash]: hash,
      [azureAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
    })
    expect(view.annotations[azureAnnotations.inPlaceUpdateHash]).toMatch(/^\d+$/)
  },
  C20: async (harness) => {
    const { azure } = harnesses.of(harness)
    for (const { family = '' } of azure.offer.skus) azure.offer.quotas.set(family, 1)
    const claim = await harness.claim('a', { requirements: [needs(labels.capacityType, 'on-demand')] })
    expect(isInsufficientCapacity(await expectRejection(harness.provider.create(claim, never)))).toBe(true)
    const out = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings
        .filter(({ available }) => !available)
        .map((offering) => offeringCoordinates(type, offering).capacityType),
    )
    expect(new Set(out)).toEqual(new Set(['on-demand']))
    await harness.clock.advance(minutes(11))
    expect(azure.resources()).toEqual([])
  },
  C23: async (harness) => {
    const { azure } = harnesses.of(harness)
    const claim = await harness.claim('a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(claim, never))
    harness.cloud.recover()
    await harness.clock.advance(2_000)
    expect(azure.resources()).toEqual([])
  },
  C24: async (harness) => {
    const { azure, client } = harnesses.of(harness)
    azure.vms.laterFailures = [
      { pattern: {}, failure: { code: 'ZonalAllocationFailed', message: 'Allocation failed.' } },
    ]
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
    // Azure reserves the interface for three minutes, and Resource Graph lags behind.
    await harness.clock.advance(minutes(15))
    expect(azure.resources()).toEqual([])
  },
  C26: async (harness) => {
    const { azure } = harnesses.of(harness)
    await launch(harness, 'a')
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
  X05: async (harness) => {
    const own = harnesses.of(harness)
    await launch(harness, 'a')
    const everything = JSON.stringify([
      harness.log.lines,
      harness.events.events.map(({ reason, message }) => [reason, message]),
      (await own.nodeClass()).status,
      own.azure.resources(),
    ])
    expect(everything).not.toContain(TOKEN)
    expect(everything).not.toMatch(/Bearer|token-\d/)
  },
  X04: async (harness) => {
    const { azure } = harnesses.of(harness)
    await launch(harness, 'a')
    azure.tokens.revoke()
    expect((await launch(harness, 'b')).view.providerID).toMatch(/aks-b$/)
  },
}

const driftChecks: Checks = {
  H02: async (harness) => {
    const own = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    await own.change({ tags: { team: 'a' } })
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
    await own.change({ osDiskSizeGB: 200 })
    expect(await harness.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [azureAnnotations.nodeClassHash]: '1', [azureAnnotations.nodeClassHashVersion]: 'v2' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    const old = { ...claim, metadata: { ...claim.metadata, ...metadata } }
    expect(await harness.provider.isDrifted(old, never)).toBeUndefined()
    await harness.client.patch(aksNodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const migrated = await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await harnesses.of(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHashVersion]).toBe(NODE_CLASS_HASH_VERSION)
    expect(migrated.metadata.annotations?.[azureAnnotations.nodeClassHash]).toBe(
      nodeClass.metadata.annotations?.[azureAnnotations.nodeClassHash],
    )
    expect(await harness.provider.isDrifted(migrated, never)).toBeUndefined()
  },
  H04: async (harness) => {
    const { azure } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    azure.offer.imageVersions = [
      { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' },
      ...azure.offer.imageVersions,
    ]
    // Image versions are cached for three days.
    await harness.clock.advance(minutes(60 * 24 * 3 + 30))
    expect(await harness.provider.isDrifted(claim, never)).toBe('ImageDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { status: _none, ...bare } = claim
    expect(await expectRejection(harness.provider.isDrifted(bare, never))).toBeInstanceOf(Error)
  },
}

/** Checks of instance types: settings of the node class, and prices while Azure cannot be reached. */
const typeChecks: Checks = {
  T06: async (harness) => {
    const own = harnesses.of(harness)
    const podsOf = async () => (await harness.provider.instanceTypes(harness.pool(), never))[0]?.capacity['pods']
    expect(await podsOf()).toBe(250_000_000_000n)
    await own.change({ maxPods: 30 })
    expect(await podsOf()).toBe(30_000_000_000n)
  },
  T09: async (harness) => {
    const own = harnesses.of(harness)
    const pricesOf = async () =>
      (await harness.provider.instanceTypes(harness.pool(), never)).flatMap(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await pricesOf()
    own.azure.hasPrices = false
    await harness.clock.advance(minutes(13 * 60))
    expect(await pricesOf()).toEqual(before)
    harness.restart()
    expect((await pricesOf()).every((price) => (price ?? 0) > 0)).toBe(true)
  },
}

const controllerChecks: Checks = {
  B05: async (harness) => {
    const { azure } = harnesses.of(harness)
    // The connection breaks while the VM is requested, and the NodeClaim is deleted before a retry.
    let isAsked = false
    azure.faults.chance = (call) => {
      isAsked ||= call === 'VirtualMachines_CreateOrUpdate'
      return isAsked && call.startsWith('VirtualMachines_') ? { code: 'network' } : undefined
    }
    await expectRejection(harness.provider.create(await harness.claim('a'), never))
    harness.cloud.recover()
    expect(azure.resources().map(({ name }) => name)).toEqual(['aks-a'])
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(15))
    expect(azure.resources()).toEqual([])
  },
  B07: async (harness) => {
    const own = harnesses.of(harness)
    await launch(harness, 'a')
    await harness.client.delete(aksNodeClassKind, { name: CLASS })
    await harness.clock.advance(minutes(1))
    expect((await own.nodeClass()).metadata.deletionTimestamp).toBeDefined()
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(minutes(3))
    expect((await harness.client.list(aksNodeClassKind)).items).toEqual([])
  },
  B08: async (harness) => {
    const own = harnesses.of(harness)
    const condition = async (type: string) => findCondition(await own.nodeClass(), type)
    expect(await condition('Ready')).toMatchObject({ status: 'True' })
    await own.change({
      vnetSubnetID: '/subscriptions/1/resourceGroups/2/providers/Microsoft.Network/virtualNetworks/3/subnets/4',
    })
    expect(await condition('SubnetsReady')).toMatchObject({ status: 'False', reason: 'SubnetIDInvalid' })
    expect(await condition('Ready')).toMatchObject({ status: 'False' })
  },
  B09: async (harness) => {
    const { azure, client } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    const registered = { type: 'Registered', status: 'True' } as const
    const conditions = setCondition(conditionSets.NodeClaim, claim, registered, harness.clock.now())
    const change = { type: 'merge', body: { status: { conditions } } } as const
    await client.patch(karpenterKinds.NodeClaim, { name: 'a' }, change, { subresource: 'status' })
    await harness.clock.advance(minutes(1))
    // The provider does not write values again that a VM has from its launch.
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(0)
    await harnesses.of(harness).change({ tags: { team: 'a' } })
    await harness.clock.advance(minutes(1))
    expect(azure.count('VirtualMachines_Update')).toBe(1)
    for (const { type, body } of azure.resources())
      if (!type.endsWith('disks')) expect(body['tags']).toMatchObject({ team: 'a' })
    await harness.clock.advance(minutes(10))
    expect(azure.count('VirtualMachines_Update', 'NetworkInterfaces_UpdateTags')).toBe(2)
  },
  B10: async (harness) => {
    const { azure } = harnesses.of(harness)
    const { claim, view } = await launch(harness, 'a')
    await harnesses.of(harness).change({ tags: { team: 'a' } })
    await harness.clock.advance(minutes(1))
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
    expect(azure.count('VirtualMachines_Delete')).toBe(0)
    expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  D08: async (harness, driver) => {
    const { azure } = harnesses.of(harness)
    const { claim } = await launch(harness, 'a')
    await harness.clock.advance(minutes(1))
    expect(azure.resources()).toHaveLength(3)
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.provider.delete(claim, never)
    await harness.clock.advance(driver.terminationDelay + 1_000)
    expect(isNodeClaimNotFound(await expectRejection(harness.provider.delete(claim, never)))).toBe(true)
    await harness.clock.advance(2_000)
    expect(azure.resources()).toEqual([])
  },
}

/** The checks of the conformance suite that this package implements. */
export const ownChecks: Checks = { ...launchChecks, ...driftChecks, ...typeChecks, ...controllerChecks }
