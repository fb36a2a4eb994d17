import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { expect } from 'vitest'
import { isNodeClaimNotFound } from '../errors.ts'
import type { Checks, ConformanceWorld } from './conformance-driver.ts'
import { failureOf, instances, launch, never } from './launching.ts'

const isGone = async (promise: Promise<unknown>): Promise<boolean> => isNodeClaimNotFound(await failureOf(promise))
const withProviderID = (claim: NodeClaim, providerID: string): NodeClaim => ({
  ...claim,
  status: { ...claim.status, providerID },
})

/** Deletes the claim as a user does, so that it waits for its finalizer. */
const deleteClaim = async (world: ConformanceWorld, claim: NodeClaim): Promise<void> => {
  const ref = { name: claim.metadata.name }
  const body = { metadata: { finalizers: ['karpenter.sh/termination'] } }
  await world.client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body })
  await world.client.delete(karpenterKinds.NodeClaim, ref)
  await world.clock.advance(100)
}

/** Checks of deleting, reading and listing instances. */
export const instanceChecks: Checks = {
  D01: async (world) => {
    const { claim } = await launch(world, 'a')
    await world.provider.delete(claim, never)
    expect(world.cloud.count('terminate')).toBe(1)
    expect((await world.cloud.instances()).filter(({ state }) => state === 'running')).toEqual([])
  },
  D02: async (world) => {
    const { claim } = await launch(world, 'a')
    await deleteClaim(world, claim)
    await world.provider.delete(claim, never)
    const instances = await world.cloud.instances()
    const again = world.provider.delete(claim, never)
    if (instances.length > 0) await again
    else expect(await isGone(again)).toBe(true)
    expect(world.cloud.count('terminate')).toBe(1)
  },
  D03: async (world, driver) => {
    const { claim } = await launch(world, 'a')
    await deleteClaim(world, claim)
    await world.provider.delete(claim, never)
    await world.clock.advance(driver.terminationDelay + 1_000)
    expect(await isGone(world.provider.delete(claim, never))).toBe(true)
    expect(await world.cloud.instances()).toEqual([])
  },
  D04: async (world) => {
    const { claim, view } = await launch(world, 'a')
    await deleteClaim(world, claim)
    await world.cloud.vanish(view.providerID)
    expect(await isGone(world.provider.delete(claim, never))).toBe(true)
  },
  D05: async (world) => {
    await world.cloud.plantLeaked(0)
    const claim = await world.claim('a')
    try {
      await world.provider.delete(claim, never)
    } catch (error) {
      expect(isNodeClaimNotFound(error)).toBe(true)
    }
    expect(world.cloud.count('terminate')).toBe(0)
  },
  D06: async (world) => {
    const claim = await world.claim('a')
    const foreign = await world.cloud.plantForeign()
    for (const providerID of [foreign, 'other:///zone/i-0123', 'nonsense']) {
      await world.provider.delete(withProviderID(claim, providerID), never).catch(() => {})
    }
    expect(world.cloud.count('terminate')).toBe(0)
    expect(await instances(world)).toEqual([foreign])
  },
  D07: async (world) => {
    const { claim } = await launch(world, 'a')
    for (const kind of ['throttle', 'serverError', 'auth', 'network'] as const) {
      world.cloud.fail('terminate', kind)
      expect(await isGone(world.provider.delete(claim, never)), kind).toBe(false)
    }
    world.cloud.recover()
    await world.provider.delete(claim, never)
  },
  G01: async (world) => {
    const known = await world.cloud.plantLeaked(0)
    expect(await isGone(world.provider.get(`${known}-unknown`, never))).toBe(true)
    for (const malformed of ['', 'nonsense']) {
      expect(await failureOf(world.provider.get(malformed, never)), malformed).toBeInstanceOf(Error)
    }
  },
  G02: async (world, driver) => {
    const { claim, view } = await launch(world, 'a')
    await deleteClaim(world, claim)
    await world.provider.delete(claim, never)
    try {
      expect((await world.provider.get(view.providerID, never)).deletionTimestamp).toBeDefined()
    } catch (error) {
      expect(isNodeClaimNotFound(error)).toBe(true)
    }
    await world.clock.advance(driver.terminationDelay + 1_000)
    expect(await isGone(world.provider.get(view.providerID, never))).toBe(true)
  },
  G03: async (world) => {
    await world.provider.list(never)
    const { view } = await launch(world, 'a')
    expect((await world.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  G04: async (world) => {
    const { view } = await launch(world, 'a')
    const found = await world.provider.get(view.providerID, never)
    for (const key of [labels.instanceType, labels.zone, labels.capacityType, labels.nodePool]) {
      expect(found.labels[key], key).toBe(view.labels[key])
    }
  },
  L01: async (world) => {
    const own = await world.cloud.plantLeaked(0)
    await world.cloud.plantForeign()
    expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toEqual([own])
  },
  L02: async (world) => {
    const leaked = await world.cloud.plantLeaked(0)
    expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toEqual([leaked])
  },
  L03: async (world) => {
    await world.cloud.plantLeaked(0)
    world.cloud.fail('list', 'serverError')
    expect(await failureOf(world.provider.list(never))).toBeInstanceOf(Error)
  },
  L04: async (world, driver) => {
    const { claim } = await launch(world, 'a')
    await deleteClaim(world, claim)
    await world.provider.delete(claim, never)
    expect((await world.provider.list(never)).every(({ deletionTimestamp }) => deletionTimestamp !== undefined)).toBe(
      true,
    )
    await world.clock.advance(driver.terminationDelay + 1_000)
    expect(await world.provider.list(never)).toEqual([])
  },
  L05: async (world) => {
    const { view } = await launch(world, 'a')
    expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toContain(view.providerID)
  },
}
