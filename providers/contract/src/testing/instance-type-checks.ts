import { annotations, karpenterKinds, labels, wellKnownLabels } from '@kerf/apis'
import type { Offering } from '@kerf/engine'
import { expect } from 'vitest'
import { offeringAllocatable } from '../allocatable.ts'
import { declaredPrices } from '../declared-prices.ts'
import { offeringCoordinates, usableOfferings } from '../offerings.ts'
import { pricedProvider } from '../priced-provider.ts'
import type { Checks } from './conformance-driver.ts'
import { bought, create, expectRejection, launch, needs, never, types } from './launching.ts'

/** Checks of instance types and their offerings. */
export const instanceTypeChecks: Checks = {
  T01: async (harness) => {
    const all = await types(harness)
    expect(all.length).toBeGreaterThan(0)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const type of all) {
      for (const name of ['cpu', 'memory', 'pods']) {
        expect((type.capacity[name] ?? 0n) > 0n, `${type.name} ${name}`).toBe(true)
        expect((offeringAllocatable(type)[name] ?? 0n) > 0n, `${type.name} ${name}`).toBe(true)
      }
    }
  },
  T02: async (harness) => {
    // Excludes the label with the NodePool's name, because the pool sets it and instance types do not have it.
    const keys = [...wellKnownLabels, ...harness.provider.vocabulary.added.wellKnown].filter(
      (key) => key !== labels.nodePool,
    )
    for (const type of await types(harness)) {
      for (const key of keys) {
        const found = type.requirements.filter((requirement) => requirement.key === key)
        expect(found, `${type.name} ${key}`).toHaveLength(1)
        expect(['In', 'DoesNotExist']).toContain(found[0]?.operator)
      }
    }
  },
  T03: async (harness) => {
    for (const type of await types(harness)) {
      const tuples = type.offerings.map((offering) => {
        const { capacityType, zone } = offeringCoordinates(type, offering)
        expect(capacityType, type.name).not.toBe('')
        expect(zone !== '' || isWithoutZone(offering), type.name).toBe(true)
        const { price } = offering
        expect(price === undefined || (Number.isFinite(price) && price >= 0), type.name).toBe(true)
        return JSON.stringify(offering.requirements)
      })
      expect(new Set(tuples).size, type.name).toBe(tuples.length)
    }
    for (const { source, readAt = 0, types } of Object.values(harness.provider.priceSources?.() ?? {})) {
      expect(source).not.toBe('')
      expect(types).toBeGreaterThanOrEqual(0)
      expect(readAt).toBeLessThanOrEqual(harness.clock.now())
    }
    for (const { name, count, normalizedUnits, vcpus, committedUsdPerHour } of (await harness.provider.commitments?.(
      never,
    )) ?? []) {
      expect(name).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
      const amounts = [count, normalizedUnits, vcpus, committedUsdPerHour].filter((each) => each !== undefined)
      expect(amounts, name).toHaveLength(1)
    }
    const addresses = (await harness.provider.freeAddresses?.(harness.pool(), never)) ?? []
    expect(new Set(addresses.map(({ subnet }) => subnet)).size).toBe(addresses.length)
    for (const { subnet, zone, free } of addresses) {
      expect(zone, subnet).not.toBe('')
      expect(Number.isInteger(free) && free >= 0, `${subnet}: ${free} free addresses`).toBe(true)
    }
  },
  T04: async (harness) => {
    const before = (await types(harness)).map(({ name }) => name)
    harness.cloud.stockOut({})
    await create(harness, await harness.claim('a')).catch(() => {})
    const after = await types(harness)
    expect(after.map(({ name }) => name)).toEqual(before)
    expect(after.some(({ offerings }) => offerings.every(({ available }) => !available))).toBe(true)
  },
  T05: async (harness) => {
    const first = await types(harness)
    const copy = structuredClone(first)
    harness.cloud.stockOut({})
    await create(harness, await harness.claim('a')).catch(() => {})
    await types(harness)
    expect(first).toEqual(copy)
    harness.restart()
    expect(await types(harness)).toEqual(copy)
  },
  T07: async (harness) => {
    expect((await types(harness)).every(({ offerings }) => offerings.every(({ available }) => available))).toBe(true)
    harness.cloud.stockOut({})
    await create(harness, await harness.claim('a')).catch(() => {})
    expect((await types(harness)).some(({ offerings }) => offerings.some(({ available }) => !available))).toBe(true)
  },
  T10: async (harness) => {
    harness.events.events.length = 0
    expect(await expectRejection(harness.provider.instanceTypes(harness.foreignPool(), never))).toBeInstanceOf(Error)
    await harness.setNodeClass('missing')
    expect(await expectRejection(types(harness))).toBeInstanceOf(Error)
    expect(harness.events.events.length).toBeGreaterThan(1)
  },
  T11: async (harness) => {
    const declared = declaredPrices(harness.informers)
    const priced = pricedProvider(harness.provider, (all) => declared.apply(all))
    const requirements = [needs(labels.capacityType, 'on-demand')]
    const first = bought((await launch(harness, 'before', { requirements })).view).type
    const others = (await types(harness)).map(({ name }) => name).filter((name) => name !== first)
    // The price applies to all other types, because launches avoid certain types at any price, for example types with a GPU.
    const cheap = { capacityType: 'on-demand', price: 0.000_001, asOf: 0 } as const
    declared.replace(others.map((instanceType) => ({ ...cheap, instanceType })))
    const prices = (await priced.instanceTypes(harness.pool(), never))
      .filter(({ name }) => name !== first)
      .flatMap((type) => usableOfferings(type, requirements).map(({ price }) => price))
    expect(new Set(prices)).toEqual(new Set([cheap.price]))
    const claim = await harness.claim('declared', { requirements })
    const marked = await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: claim.metadata.name },
      { type: 'merge', body: { metadata: { annotations: { [annotations.priceOverlayApplied]: 'true' } } } },
    )
    expect(others).toContain(bought(await create(harness, marked)).type)
    declared.replace([])
    expect(bought((await launch(harness, 'after', { requirements })).view).type).toBe(first)
  },
}

/** Returns true if the offering declares that it has no zone. An empty zone would be a label value, which no Node has. */
const isWithoutZone = ({ requirements }: Offering): boolean =>
  requirements.some(({ key, operator }) => key === labels.zone && operator === 'DoesNotExist')
