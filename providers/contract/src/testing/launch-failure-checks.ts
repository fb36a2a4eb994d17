import { labels } from '@kerf/apis'
import { expect } from 'vitest'
import { CreateError, findError, isInsufficientCapacity, isNodeClaimNotFound, isNodeClassNotReady } from '../errors.ts'
import { coordinatesOf } from '../offerings.ts'
import type { Checks, ConformanceWorld } from './conformance-driver.ts'
import { bought, failureOf, instances, launch, needs, never, types } from './launching.ts'

/** The offerings that are unavailable, as `capacity type:type:zone`. */
const unavailable = async (world: ConformanceWorld): Promise<readonly string[]> =>
  (await types(world)).flatMap((type) =>
    type.offerings
      .filter(({ available }) => !available)
      .map((offering) => {
        const { capacityType, instanceType, zone } = coordinatesOf(type, offering)
        return `${capacityType}:${instanceType}:${zone}`
      }),
  )

/** The launch fails in a way that a retry may fix: no instance is left, and no offering becomes unavailable. */
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

/** What happens when a launch cannot succeed: classes that are not ready, missing capacity, failing calls. */
export const launchFailureChecks: Checks = {
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
  C18: async (world, driver) => {
    world.cloud.stockOut({})
    const claim = await world.claim('a')
    expect(isInsufficientCapacity(await failureOf(world.provider.create(claim, never)))).toBe(true)
    expect((await unavailable(world)).length).toBeGreaterThan(0)
    world.cloud.restock()
    await world.clock.advance(driver.unavailableFor + 1_000)
    expect(await unavailable(world)).toEqual([])
    expect((await world.provider.create(claim, never)).providerID).toMatch(driver.providerID)
  },
  C19: async (world, driver) => {
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
}
