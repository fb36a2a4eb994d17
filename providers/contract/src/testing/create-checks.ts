import { labels, type NodeSelectorRequirement, parseResources } from '@kerf/apis'
import { expect } from 'vitest'
import { fits, offeringAllocatable } from '../allocatable.ts'
import { isInsufficientCapacity } from '../errors.ts'
import { offeringCoordinates, usableOfferings, usableTypes } from '../offerings.ts'
import { areCompatible, singleValue } from '../requirements.ts'
import type { Checks } from './conformance-driver.ts'
import {
  bought,
  create,
  createAll,
  createWith,
  expectRejection,
  instances,
  launch,
  needs,
  never,
  record,
  repeating,
  types,
} from './launching.ts'

/** Checks of launches: identity, idempotency, and the choice of the instance. */
export const createChecks: Checks = {
  C01: async (harness, driver) => {
    const { view } = await launch(harness, 'a')
    expect(view.providerID).toMatch(driver.providerID)
    expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  C02: async (harness) => {
    const { claim, view } = await launch(harness, 'a')
    for (const key of [labels.instanceType, labels.arch, labels.os, labels.zone, labels.capacityType]) {
      const value = view.labels[key] ?? ''
      expect(value, key).not.toBe('')
      expect(areCompatible(claim.spec.requirements, [needs(key, value)]), key).toBe(true)
    }
  },
  C04: async (harness) => {
    const { view } = await launch(harness, 'a')
    const type = (await types(harness)).find(({ name }) => name === bought(view).type)
    const capacity = parseResources(view.capacity)
    const allocatable = parseResources(view.allocatable)
    expect(capacity).toEqual(type?.capacity)
    expect(allocatable).toEqual(type === undefined ? undefined : offeringAllocatable(type))
    for (const [name, amount] of Object.entries(allocatable)) expect(amount <= (capacity[name] ?? 0n), name).toBe(true)
  },
  C05: async (harness, driver) => {
    const { claim, view } = await launch(harness, 'a')
    const [instance] = await harness.cloud.instances()
    expect(instance?.tags).toMatchObject(driver.ownershipTags(claim, view))
  },
  C06: async (harness) => {
    const claim = await harness.claim('a')
    const first = await create(harness, claim)
    harness.restart()
    const second = await create(harness, claim)
    expect(second.providerID).toBe(first.providerID)
    await record(harness, claim, second)
    harness.restart()
    expect((await create(harness, claim)).providerID).toBe(first.providerID)
    await harness.clock.advance(5_000)
    expect(await instances(harness)).toEqual([first.providerID])
  },
  C07: async (harness) => {
    const claim = await harness.claim('a')
    const views = await createAll(harness, [claim, claim, claim, claim])
    const [first] = views
    expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(1)
    if (first !== undefined) await record(harness, claim, first)
    expect(await instances(harness)).toEqual([first?.providerID])
  },
  C29: async (harness) => {
    const claim = await harness.claim('a')
    const before = harness.provider
    harness.restart()
    // Two processes have separate objects for the same claim.
    const views = await createWith(harness.clock, [
      [repeating(before), claim],
      [repeating(harness.provider), structuredClone(claim)],
    ])
    expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(1)
    const [first] = views
    if (first !== undefined) await record(harness, claim, first)
    expect(await instances(harness)).toEqual([first?.providerID])
  },
  C08: async (harness) => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => harness.claim(`many-${index}`)))
    const views = await createAll(harness, claims)
    for (const [index, view] of views.entries()) {
      const claim = claims[index]
      if (claim !== undefined) await record(harness, claim, view)
      expect(view.nodeClaimUid).toBe(claim?.metadata.uid)
    }
    expect((await instances(harness)).toSorted()).toEqual(views.map(({ providerID }) => providerID).toSorted())
    expect(new Set(await instances(harness)).size).toBe(20)
  },
  C09: async (harness) => {
    const zones = new Set(
      (await types(harness)).flatMap((type) =>
        type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
      ),
    )
    for (const [index, zone] of [...zones].entries()) {
      const { view } = await launch(harness, `zone-${index}`, { requirements: [needs(labels.zone, zone)] })
      expect(bought(view).zone).toBe(zone)
    }
  },
  C10: async (harness) => {
    const [type] = (await types(harness)).filter((each) => usableOfferings(each, []).length > 0).slice(-1)
    const arch = singleValue(type?.requirements ?? [], labels.arch) ?? ''
    // Determines which instance type is launched without requirements. Only a requirement that excludes this type has a visible effect.
    const first = await launch(harness, 'first')
    const named = await launch(harness, 'named', { requirements: [needs(labels.instanceType, type?.name ?? '')] })
    expect(bought(named.view).type).toBe(type?.name)
    const requests: readonly (readonly NodeSelectorRequirement[])[] = [
      [needs(labels.arch, arch)],
      [{ key: labels.instanceType, operator: 'NotIn', values: [bought(first.view).type] }],
      [{ key: labels.instanceType, operator: 'NotIn', values: [bought(named.view).type] }],
      ...[...new Set(harness.provider.vocabulary.added.wellKnown)].flatMap((key): NodeSelectorRequirement[][] => {
        const value = singleValue(type?.requirements ?? [], key)
        if (value === undefined) return []
        const whole = /^\d+$/.test(value)
        return [
          [needs(key, value)],
          [{ key, operator: 'Exists' }],
          ...(whole && Number(value) > 0
            ? [[{ key, operator: 'Gt' as const, values: [String(Number(value) - 1)] }]]
            : []),
          ...(whole ? [[{ key, operator: 'Lt' as const, values: [String(Number(value) + 1)] }]] : []),
        ]
      }),
    ]
    for (const [index, requirements] of requests.entries()) {
      const { view } = await launch(harness, `request-${index}`, { requirements })
      const chosen = (await types(harness)).find(({ name }) => name === bought(view).type)
      expect(areCompatible(requirements, chosen?.requirements ?? []), JSON.stringify(requirements)).toBe(true)
    }
  },
  C11: async (harness) => {
    const requirements = [needs(labels.capacityType, 'spot', 'on-demand')]
    expect(bought((await launch(harness, 'spot', { requirements })).view).capacityType).toBe('spot')
    harness.cloud.stockOut({ capacityType: 'spot' })
    expect(bought((await launch(harness, 'other', { requirements })).view).capacityType).toBe('on-demand')
  },
  C12: async (harness, driver) => {
    const requests = { cpu: '3' }
    const { capacityTypes } = driver.descriptor.capabilities
    for (const capacityType of capacityTypes.filter((each) => each !== 'reserved')) {
      const requirements = [needs(labels.capacityType, capacityType)]
      const { view } = await launch(harness, `cheap-${capacityType}`, { requirements, requests })
      const fitting = usableTypes(await types(harness), requirements).filter((type) =>
        fits(parseResources(requests), offeringAllocatable(type)),
      )
      const cheapest = Math.min(
        ...fitting.flatMap((type) =>
          usableOfferings(type, requirements).map(({ price = Number.POSITIVE_INFINITY }) => price),
        ),
      )
      const chosen = fitting.find(({ name }) => name === bought(view).type)
      const paid = chosen?.offerings.find((offering) => {
        const { capacityType: capacity, zone } = offeringCoordinates(chosen, offering)
        return capacity === bought(view).capacityType && zone === bought(view).zone
      })?.price
      // If no price is known, there is no cheapest offering.
      expect(paid ?? Number.POSITIVE_INFINITY).toBe(cheapest)
    }
  },
  C13: async (harness) => {
    for (const [index, requests] of [{ cpu: '7' }, { memory: '100Gi' }, { cpu: '1', memory: '30Gi' }].entries()) {
      const { view } = await launch(harness, `big-${index}`, { requests })
      expect(fits(parseResources(requests), parseResources(view.allocatable))).toBe(true)
    }
    const claim = await harness.claim('odd', { requests: { 'example.com/unicorn': '1' } })
    expect(isInsufficientCapacity(await expectRejection(create(harness, claim)))).toBe(true)
  },
  C28: async (harness, driver) => {
    const { failBinding } = harness.cloud
    if (failBinding === undefined) throw new Error(`the fake cloud of ${driver.name} must implement failBinding`)
    const first = await launch(harness, 'first')
    const marks = driver.ownershipTags(first.claim, first.view)
    const marksOf = (tags: Readonly<Record<string, string>>) => Object.keys(marks).filter((key) => key in tags)
    failBinding.call(harness.cloud, 'serverError')
    const claim = await harness.claim('second')
    await expectRejection(harness.provider.create(claim, never))
    for (const { tags } of await harness.cloud.instances())
      expect([0, Object.keys(marks).length]).toContain(marksOf(tags).length)
    harness.cloud.recover()
    const view = await create(harness, claim)
    const bound = (await harness.cloud.instances()).filter(({ tags }) => marksOf(tags).length > 0)
    expect(bound.map(({ providerID }) => providerID).toSorted()).toEqual(
      [first.view.providerID, view.providerID].toSorted(),
    )
    expect(bound.find(({ providerID }) => providerID === view.providerID)?.tags).toMatchObject(
      driver.ownershipTags(claim, view),
    )
  },
}
