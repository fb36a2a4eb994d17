import { labels, type NodeSelectorRequirement, parseResources } from '@kerf/apis'
import { expect } from 'vitest'
import { allocatableOf, fits } from '../allocatable.ts'
import { isInsufficientCapacity } from '../errors.ts'
import { coordinatesOf, usableOfferings, usableTypes } from '../offerings.ts'
import { areCompatible, singleValueOf } from '../requirements.ts'
import type { Checks } from './conformance-driver.ts'
import { bought, create, createAll, failureOf, instances, launch, needs, never, record, types } from './launching.ts'

/** Checks of launches: identity, idempotency, and the choice of the instance. */
export const createChecks: Checks = {
  C01: async (world, driver) => {
    const { view } = await launch(world, 'a')
    expect(view.providerID).toMatch(driver.providerID)
    expect((await world.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  C02: async (world) => {
    const { claim, view } = await launch(world, 'a')
    for (const key of [labels.instanceType, labels.arch, labels.os, labels.zone, labels.capacityType]) {
      const value = view.labels[key] ?? ''
      expect(value, key).not.toBe('')
      expect(areCompatible(claim.spec.requirements, [needs(key, value)]), key).toBe(true)
    }
  },
  C04: async (world) => {
    const { view } = await launch(world, 'a')
    const type = (await types(world)).find(({ name }) => name === bought(view).type)
    const capacity = parseResources(view.capacity)
    const allocatable = parseResources(view.allocatable)
    expect(capacity).toEqual(type?.capacity)
    expect(allocatable).toEqual(type === undefined ? undefined : allocatableOf(type))
    for (const [name, amount] of Object.entries(allocatable)) expect(amount <= (capacity[name] ?? 0n), name).toBe(true)
  },
  C05: async (world, driver) => {
    const { claim, view } = await launch(world, 'a')
    const [instance] = await world.cloud.instances()
    expect(instance?.tags).toMatchObject(driver.ownershipTags(claim, view))
  },
  C06: async (world) => {
    const claim = await world.claim('a')
    const first = await create(world, claim)
    world.restart()
    const second = await create(world, claim)
    expect(second.providerID).toBe(first.providerID)
    await record(world, claim, second)
    world.restart()
    expect((await create(world, claim)).providerID).toBe(first.providerID)
    await world.clock.advance(5_000)
    expect(await instances(world)).toEqual([first.providerID])
  },
  C07: async (world) => {
    const claim = await world.claim('a')
    const views = await createAll(world, [claim, claim, claim, claim])
    const [first] = views
    expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(1)
    if (first !== undefined) await record(world, claim, first)
    expect(await instances(world)).toEqual([first?.providerID])
  },
  C08: async (world) => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => world.claim(`many-${index}`)))
    const views = await createAll(world, claims)
    for (const [index, view] of views.entries()) {
      const claim = claims[index]
      if (claim !== undefined) await record(world, claim, view)
      expect(view.nodeClaimUid).toBe(claim?.metadata.uid)
    }
    expect((await instances(world)).toSorted()).toEqual(views.map(({ providerID }) => providerID).toSorted())
    expect(new Set(await instances(world)).size).toBe(20)
  },
  C09: async (world) => {
    const zones = new Set(
      (await types(world)).flatMap((type) => type.offerings.map((offering) => coordinatesOf(type, offering).zone)),
    )
    for (const [index, zone] of [...zones].entries()) {
      const { view } = await launch(world, `zone-${index}`, { requirements: [needs(labels.zone, zone)] })
      expect(bought(view).zone).toBe(zone)
    }
  },
  C10: async (world) => {
    const [type] = (await types(world)).filter((each) => usableOfferings(each, []).length > 0).slice(-1)
    const arch = singleValueOf(type?.requirements ?? [], labels.arch) ?? ''
    // What is launched without requirements. A requirement that excludes it must have an effect.
    const first = await launch(world, 'first')
    const named = await launch(world, 'named', { requirements: [needs(labels.instanceType, type?.name ?? '')] })
    expect(bought(named.view).type).toBe(type?.name)
    const requests: readonly (readonly NodeSelectorRequirement[])[] = [
      [needs(labels.arch, arch)],
      [{ key: labels.instanceType, operator: 'NotIn', values: [bought(first.view).type] }],
      [{ key: labels.instanceType, operator: 'NotIn', values: [bought(named.view).type] }],
      ...[...new Set(world.provider.vocabulary.added.wellKnown)].flatMap((key): NodeSelectorRequirement[][] => {
        const value = singleValueOf(type?.requirements ?? [], key)
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
      const { view } = await launch(world, `request-${index}`, { requirements })
      const chosen = (await types(world)).find(({ name }) => name === bought(view).type)
      expect(areCompatible(requirements, chosen?.requirements ?? []), JSON.stringify(requirements)).toBe(true)
    }
  },
  C11: async (world) => {
    const requirements = [needs(labels.capacityType, 'spot', 'on-demand')]
    expect(bought((await launch(world, 'spot', { requirements })).view).capacityType).toBe('spot')
    world.cloud.stockOut({ capacityType: 'spot' })
    expect(bought((await launch(world, 'other', { requirements })).view).capacityType).toBe('on-demand')
  },
  C12: async (world, driver) => {
    const requests = { cpu: '3' }
    const { capacityTypes } = driver.descriptor.capabilities
    for (const capacityType of capacityTypes.filter((each) => each !== 'reserved')) {
      const requirements = [needs(labels.capacityType, capacityType)]
      const { view } = await launch(world, `cheap-${capacityType}`, { requirements, requests })
      const fitting = usableTypes(await types(world), requirements).filter((type) =>
        fits(parseResources(requests), allocatableOf(type)),
      )
      const cheapest = Math.min(
        ...fitting.flatMap((type) =>
          usableOfferings(type, requirements).map(({ price = Number.POSITIVE_INFINITY }) => price),
        ),
      )
      const chosen = fitting.find(({ name }) => name === bought(view).type)
      const paid = chosen?.offerings.find((offering) => {
        const { capacityType: capacity, zone } = coordinatesOf(chosen, offering)
        return capacity === bought(view).capacityType && zone === bought(view).zone
      })?.price
      // If no price is known, none is the cheapest.
      expect(paid ?? Number.POSITIVE_INFINITY).toBe(cheapest)
    }
  },
  C13: async (world) => {
    for (const [index, requests] of [{ cpu: '7' }, { memory: '100Gi' }, { cpu: '1', memory: '30Gi' }].entries()) {
      const { view } = await launch(world, `big-${index}`, { requests })
      expect(fits(parseResources(requests), parseResources(view.allocatable))).toBe(true)
    }
    const claim = await world.claim('odd', { requests: { 'example.com/unicorn': '1' } })
    expect(isInsufficientCapacity(await failureOf(create(world, claim)))).toBe(true)
  },
  C28: async (world, driver) => {
    const { failBinding } = world.cloud
    if (failBinding === undefined) throw new Error(`the fake cloud of ${driver.name} must implement failBinding`)
    const first = await launch(world, 'first')
    const marks = driver.ownershipTags(first.claim, first.view)
    const marksOf = (tags: Readonly<Record<string, string>>) => Object.keys(marks).filter((key) => key in tags)
    failBinding.call(world.cloud, 'serverError')
    const claim = await world.claim('second')
    await failureOf(world.provider.create(claim, never))
    for (const { tags } of await world.cloud.instances())
      expect([0, Object.keys(marks).length]).toContain(marksOf(tags).length)
    world.cloud.recover()
    const view = await create(world, claim)
    const bound = (await world.cloud.instances()).filter(({ tags }) => marksOf(tags).length > 0)
    expect(bound.map(({ providerID }) => providerID).toSorted()).toEqual(
      [first.view.providerID, view.providerID].toSorted(),
    )
    expect(bound.find(({ providerID }) => providerID === view.providerID)?.tags).toMatchObject(
      driver.ownershipTags(claim, view),
    )
  },
}
