import { labels, type NodeSelectorRequirement, parseResources } from '@kerf/apis'
import { expect } from 'vitest'
import { allocatableOf, fits } from '../allocatable.ts'
import { CreateError, findError, isInsufficientCapacity, isNodeClaimNotFound, isNodeClassNotReady } from '../errors.ts'
import { usableOfferings, usableTypes } from '../offerings.ts'
import { areCompatible, singleValueOf } from '../requirements.ts'
import { coordinatesOf } from '../unavailable-offerings.ts'
import type { CheckId } from './checks.ts'
import type { ConformanceDriver, ConformanceWorld } from './conformance-driver.ts'
import { bought, failureOf, launch, never, record } from './launching.ts'

type Checks = Partial<Record<CheckId, (world: ConformanceWorld) => Promise<void>>>

const needs = (key: string, ...values: readonly string[]): NodeSelectorRequirement => ({ key, operator: 'In', values })
const types = (world: ConformanceWorld) => world.provider.instanceTypes(world.pool(), never)
const instances = async (world: ConformanceWorld) => (await world.cloud.instances()).map(({ providerID }) => providerID)

/** The offerings that are out, as `capacity type:type:zone`. */
const unavailable = async (world: ConformanceWorld): Promise<readonly string[]> =>
  (await types(world)).flatMap((type) =>
    type.offerings
      .filter(({ available }) => !available)
      .map((offering) => {
        const { capacityType, instanceType, zone } = coordinatesOf(type, offering)
        return `${capacityType}:${instanceType}:${zone}`
      }),
  )

/** Launching fails without leaving or marking anything, in a way that another try may mend. */
const isHarmless = async (world: ConformanceWorld, kind: 'throttle' | 'auth' | 'network' | 'serverError') => {
  const claim = await world.claim(`harmless-${kind.toLowerCase()}`)
  world.cloud.fail('launch', kind)
  const error = await failureOf(world.provider.create(claim, never))
  world.cloud.recover()
  expect(isInsufficientCapacity(error) || isNodeClassNotReady(error) || isNodeClaimNotFound(error)).toBe(false)
  expect(String(error)).not.toBe('')
  expect(await instances(world)).toEqual([])
  expect(await unavailable(world)).toEqual([])
}

/** The part of the suite about launching. */
export const createChecks = (driver: ConformanceDriver): Checks => ({
  C01: async (world) => {
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
  C05: async (world) => {
    const { claim, view } = await launch(world, 'a')
    const [instance] = await world.cloud.instances()
    expect(instance?.tags).toMatchObject(driver.ownershipTags(claim, view))
  },
  C06: async (world) => {
    const claim = await world.claim('a')
    const first = await world.provider.create(claim, never)
    world.restart()
    const second = await world.provider.create(claim, never)
    expect(second.providerID).toBe(first.providerID)
    await record(world, claim, second)
    world.restart()
    expect((await world.provider.create(claim, never)).providerID).toBe(first.providerID)
    await world.clock.advance(5_000)
    expect(await instances(world)).toEqual([first.providerID])
  },
  C07: async (world) => {
    const claim = await world.claim('a')
    const views = await Promise.all([1, 2, 3, 4].map(() => world.provider.create(claim, never)))
    const [first] = views
    expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(1)
    if (first !== undefined) await record(world, claim, first)
    expect(await instances(world)).toEqual([first?.providerID])
  },
  C08: async (world) => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => world.claim(`many-${index}`)))
    const views = await Promise.all(claims.map((claim) => world.provider.create(claim, never)))
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
    const named = await launch(world, 'named', { requirements: [needs(labels.instanceType, type?.name ?? '')] })
    expect(bought(named.view).type).toBe(type?.name)
    const requests: readonly (readonly NodeSelectorRequirement[])[] = [
      [needs(labels.arch, arch)],
      [{ key: labels.instanceType, operator: 'NotIn', values: [bought(named.view).type] }],
      ...[...new Set(world.provider.wellKnownLabels)].flatMap((key): NodeSelectorRequirement[][] => {
        const value = singleValueOf(type?.requirements ?? [], key)
        if (value === undefined) return []
        const whole = /^\d+$/.test(value)
        return [
          [needs(key, value)],
          [{ key, operator: 'Exists' }],
          ...(whole ? [[{ key, operator: 'Gt' as const, values: [String(Number(value) - 1)] }]] : []),
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
  C12: async (world) => {
    const requests = { cpu: '3' }
    for (const capacityType of ['on-demand', 'spot']) {
      const requirements = [needs(labels.capacityType, capacityType)]
      const { view } = await launch(world, `cheap-${capacityType}`, { requirements, requests })
      const fitting = usableTypes(await types(world), requirements).filter((type) =>
        fits(parseResources(requests), allocatableOf(type)),
      )
      const cheapest = Math.min(
        ...fitting.flatMap((type) => usableOfferings(type, requirements).map(({ price }) => price)),
      )
      const chosen = fitting.find(({ name }) => name === bought(view).type)
      const paid = chosen?.offerings.find((offering) => {
        const { capacityType: capacity, zone } = coordinatesOf(chosen, offering)
        return capacity === bought(view).capacityType && zone === bought(view).zone
      })?.price
      expect(paid).toBe(cheapest)
    }
  },
  C13: async (world) => {
    for (const [index, requests] of [{ cpu: '7' }, { memory: '100Gi' }, { cpu: '1', memory: '30Gi' }].entries()) {
      const { view } = await launch(world, `big-${index}`, { requests })
      expect(fits(parseResources(requests), parseResources(view.allocatable))).toBe(true)
    }
    const claim = await world.claim('odd', { requests: { 'example.com/unicorn': '1' } })
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
  },
  C14: async (world) => {
    for (const state of ['deleting', 'missing'] as const) {
      await world.setNodeClass(state)
      world.events.events.length = 0
      const claim = await world.claim(`class-${state}`)
      expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never))), state).toBe(true)
      expect(world.events.events.length, state).toBeGreaterThan(0)
      expect(await instances(world)).toEqual([])
    }
  },
  C15: async (world) => {
    await world.setNodeClass('notReady')
    const claim = await world.claim('a')
    expect(isNodeClassNotReady(await failureOf(world.provider.create(claim, never)))).toBe(true)
    await world.setNodeClass('unknown')
    const error = findError(await failureOf(world.provider.create(claim, never)), CreateError)
    expect(error?.reason).toBe('NodeClassReadinessUnknown')
    expect(world.cloud.count('launch')).toBe(0)
  },
  C16: async (world) => {
    const claim = await world.claim('a', { requirements: [needs(labels.instanceType, 'no-such-type')] })
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    expect(world.cloud.count('launch')).toBe(0)
  },
  C17: async (world) => {
    const { view } = await launch(world, 'first')
    const { type, zone, capacityType } = bought(view)
    const requirements = [
      needs(labels.instanceType, type),
      needs(labels.zone, zone),
      needs(labels.capacityType, capacityType),
    ]
    world.cloud.stockOut({ instanceType: type, zone, capacityType })
    const claim = await world.claim('second', { requirements })
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    expect(await unavailable(world)).toEqual([`${capacityType}:${type}:${zone}`])
    const third = await launch(world, 'third')
    expect(bought(third.view)).not.toEqual({ type, zone, capacityType })
  },
  C18: async (world) => {
    world.cloud.stockOut({})
    const claim = await world.claim('a')
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    expect((await unavailable(world)).length).toBeGreaterThan(0)
    world.cloud.restock()
    await world.clock.advance(driver.unavailableFor + 1_000)
    expect(await unavailable(world)).toEqual([])
    expect((await world.provider.create(claim, never)).providerID).toMatch(driver.providerID)
  },
  C19: async (world) => {
    for (const capacityType of ['spot', 'on-demand']) {
      world.cloud.restock()
      await world.clock.advance(driver.unavailableFor + 1_000)
      world.cloud.stockOut({ capacityType })
      const requirements = [needs(labels.capacityType, capacityType)]
      const claim = await world.claim(`only-${capacityType}`, { requirements })
      expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
      expect((await unavailable(world)).every((offering) => offering.startsWith(`${capacityType}:`))).toBe(true)
    }
  },
  C21: async (world) => {
    for (const kind of ['throttle', 'network', 'serverError'] as const) await isHarmless(world, kind)
  },
  C22: async (world) => {
    await isHarmless(world, 'auth')
  },
  C25: async (world) => {
    world.cloud.stockOut({})
    const before = world.clock.now()
    let ended = false
    const claim = await world.claim('a')
    const attempt = failureOf(world.provider.create(claim, never)).then(() => {
      ended = true
    })
    await world.clock.runUntil(() => ended, 240_000)
    await attempt
    expect(world.clock.now() - before).toBeLessThan(240_000)
  },
  C27: async (world) => {
    const claim = await world.claim('a')
    const copy = structuredClone(claim)
    await world.provider.create(claim, never)
    expect(claim).toEqual(copy)
  },
})
