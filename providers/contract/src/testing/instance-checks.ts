import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { expect } from 'vitest'
import { isNodeClaimNotFound } from '../errors.ts'
import type { Checks, ConformanceHarness } from './conformance-driver.ts'
import { expectRejection, instances, launch, never } from './launching.ts'

const isGone = async (promise: Promise<unknown>): Promise<boolean> =>
  isNodeClaimNotFound(await expectRejection(promise))
const withProviderID = (claim: NodeClaim, providerID: string): NodeClaim => ({
  ...claim,
  status: { ...claim.status, providerID },
})

/** Deletes the NodeClaim as a user would. Because of its finalizer, the claim remains in the API server. */
export const deleteClaim = async (harness: ConformanceHarness, claim: NodeClaim): Promise<void> => {
  const ref = { name: claim.metadata.name }
  const body = { metadata: { finalizers: ['karpenter.sh/termination'] } }
  await harness.client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body })
  await harness.client.delete(karpenterKinds.NodeClaim, ref)
  await harness.clock.advance(100)
}

/** Checks of how instances are deleted, read and listed. */
export const instanceChecks: Checks = {
  D01: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harness.provider.delete(claim, never)
    expect(harness.cloud.count('terminate')).toBe(1)
    expect((await harness.cloud.instances()).filter(({ state }) => state === 'running')).toEqual([])
  },
  D02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await deleteClaim(harness, claim)
    await harness.provider.delete(claim, never)
    const instances = await harness.cloud.instances()
    const again = harness.provider.delete(claim, never)
    if (instances.length > 0) await again
    else expect(await isGone(again)).toBe(true)
    expect(harness.cloud.count('terminate')).toBe(1)
  },
  D03: async (harness, driver) => {
    const { claim } = await launch(harness, 'a')
    await deleteClaim(harness, claim)
    await harness.provider.delete(claim, never)
    await harness.clock.advance(driver.terminationDelay + 1_000)
    expect(await isGone(harness.provider.delete(claim, never))).toBe(true)
    expect(await harness.cloud.instances()).toEqual([])
  },
  D04: async (harness) => {
    const { claim, view } = await launch(harness, 'a')
    await deleteClaim(harness, claim)
    await harness.cloud.vanish(view.providerID)
    expect(await isGone(harness.provider.delete(claim, never))).toBe(true)
  },
  D05: async (harness) => {
    await harness.cloud.plantLeaked(0)
    const claim = await harness.claim('a')
    try {
      await harness.provider.delete(claim, never)
    } catch (error) {
      expect(isNodeClaimNotFound(error)).toBe(true)
    }
    expect(harness.cloud.count('terminate')).toBe(0)
  },
  D06: async (harness) => {
    const claim = await harness.claim('a')
    const foreign = await harness.cloud.plantForeign()
    for (const providerID of [foreign, 'other:///zone/i-0123', 'nonsense']) {
      await harness.provider.delete(withProviderID(claim, providerID), never).catch(() => {})
    }
    expect(harness.cloud.count('terminate')).toBe(0)
    expect(await instances(harness)).toEqual([foreign])
  },
  D07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    for (const kind of ['throttle', 'serverError', 'auth', 'network'] as const) {
      harness.cloud.fail('terminate', kind)
      expect(await isGone(harness.provider.delete(claim, never)), kind).toBe(false)
    }
    harness.cloud.recover()
    await harness.provider.delete(claim, never)
  },
  G01: async (harness) => {
    const known = await harness.cloud.plantLeaked(0)
    expect(await isGone(harness.provider.get(`${known}-unknown`, never))).toBe(true)
    for (const malformed of ['', 'nonsense']) {
      expect(await expectRejection(harness.provider.get(malformed, never)), malformed).toBeInstanceOf(Error)
    }
  },
  G02: async (harness, driver) => {
    const { claim, view } = await launch(harness, 'a')
    await deleteClaim(harness, claim)
    await harness.provider.delete(claim, never)
    try {
      expect((await harness.provider.get(view.providerID, never)).deletionTimestamp).toBeDefined()
    } catch (error) {
      expect(isNodeClaimNotFound(error)).toBe(true)
    }
    await harness.clock.advance(driver.terminationDelay + 1_000)
    expect(await isGone(harness.provider.get(view.providerID, never))).toBe(true)
  },
  G03: async (harness) => {
    await harness.provider.list(never)
    const { view } = await launch(harness, 'a')
    expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  G04: async (harness) => {
    const { view } = await launch(harness, 'a')
    const found = await harness.provider.get(view.providerID, never)
    for (const key of [labels.instanceType, labels.zone, labels.capacityType, labels.nodePool]) {
      expect(found.labels[key], key).toBe(view.labels[key])
    }
  },
  L01: async (harness) => {
    const own = await harness.cloud.plantLeaked(0)
    await harness.cloud.plantForeign()
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([own])
  },
  L02: async (harness) => {
    const leaked = await harness.cloud.plantLeaked(0)
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([leaked])
  },
  L03: async (harness) => {
    await harness.cloud.plantLeaked(0)
    harness.cloud.fail('list', 'serverError')
    expect(await expectRejection(harness.provider.list(never))).toBeInstanceOf(Error)
  },
  L04: async (harness, driver) => {
    const { claim } = await launch(harness, 'a')
    await deleteClaim(harness, claim)
    await harness.provider.delete(claim, never)
    expect((await harness.provider.list(never)).every(({ deletionTimestamp }) => deletionTimestamp !== undefined)).toBe(
      true,
    )
    await harness.clock.advance(driver.terminationDelay + 1_000)
    expect(await harness.provider.list(never)).toEqual([])
  },
  L05: async (harness) => {
    const { view } = await launch(harness, 'a')
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toContain(view.providerID)
  },
}
