import { labels } from '@kerf/apis'
import { expect } from 'vitest'
import {
  CreateError,
  findError,
  isInsufficientCapacity,
  isNodeClaimNotFound,
  isNodeClassNotReady,
  LaunchPendingError,
} from '../errors.ts'
import { coordinatesOf } from '../offerings.ts'
import type { Checks, ConformanceWorld } from './conformance-driver.ts'
import { bought, create, failureOf, instances, launch, needs, never, types } from './launching.ts'

/** Returns the unavailable offerings as `capacity type:type:zone`. */
const unavailable = async (world: ConformanceWorld): Promise<readonly string[]> =>
  (await types(world)).flatMap((type) =>
    type.offerings
      .filter(({ available }) => !available)
      .map((offering) => {
        const { capacityType, instanceType, zone } = coordinatesOf(type, offering)
        return `${capacityType}:${instanceType}:${zone}`
      }),
  )

/** Checks that a launch failure is temporary: no instance is left, and no offering becomes unavailable. */
const isHarmless = async (world: ConformanceWorld, kind: 'throttle' | 'auth' | 'network' | 'serverError') => {
  const claim = await world.claim(`harmless-${kind.toLowerCase()}`)
  world.cloud.fail('launch', kind)
  const error = await failureOf(create(world, claim))
  world.cloud.recover()
  expect(isInsufficientCapacity(error) || isNodeClassNotReady(error) || isNodeClaimNotFound(error)).toBe(false)
  expect(String(error)).not.toBe('')
  expect(await instances(world)).toEqual([])
  expect(await unavailable(world)).toEqual([])
}

/** Checks of launches that cannot succeed: classes that are not ready, missing capacity, failing calls. */
export const launchFailureChecks: Checks = {
  C14: async (world) => {
    for (const state of ['deleting', 'missing'] as const) {
      await world.setNodeClass(state)
      world.events.events.length = 0
      const claim = await world.claim(`class-${state}`)
      expect(isInsufficientCapacity(await failureOf(create(world, claim))), state).toBe(true)
      expect(world.events.events.length, state).toBeGreaterThan(0)
      expect(await instances(world)).toEqual([])
    }
  },
  C15: async (world) => {
    await world.setNodeClass('notReady')
    const claim = await world.claim('a')
    expect(isNodeClassNotReady(await failureOf(create(world, claim)))).toBe(true)
    await world.setNodeClass('unknown')
    const error = findError(await failureOf(create(world, claim)), CreateError)
    expect(error?.reason).toBe('NodeClassReadinessUnknown')
    expect(world.cloud.count('launch')).toBe(0)
  },
  C16: async (world) => {
    const claim = await world.claim('a', { requirements: [needs(labels.instanceType, 'no-such-type')] })
    expect(isInsufficientCapacity(await failureOf(create(world, claim)))).toBe(true)
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
    expect(isInsufficientCapacity(await failureOf(create(world, claim)))).toBe(true)
    expect(await unavailable(world)).toEqual([`${capacityType}:${type}:${zone}`])
    const third = await launch(world, 'third')
    expect(bought(third.view)).not.toEqual({ type, zone, capacityType })
  },
  C18: async (world, driver) => {
    world.cloud.stockOut({})
    const claim = await world.claim('a')
    expect(isInsufficientCapacity(await failureOf(create(world, claim)))).toBe(true)
    expect((await unavailable(world)).length).toBeGreaterThan(0)
    world.cloud.restock()
    await world.clock.advance(driver.unavailableFor + 1_000)
    expect(await unavailable(world)).toEqual([])
    expect((await create(world, claim)).providerID).toMatch(driver.providerID)
  },
  C19: async (world, driver) => {
    for (const capacityType of ['spot', 'on-demand']) {
      world.cloud.restock()
      await world.clock.advance(driver.unavailableFor + 1_000)
      world.cloud.stockOut({ capacityType })
      const requirements = [needs(labels.capacityType, capacityType)]
      const claim = await world.claim(`only-${capacityType}`, { requirements })
      expect(isInsufficientCapacity(await failureOf(create(world, claim)))).toBe(true)
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
    const { clock, provider } = world
    const limit = provider.launchTimeout ?? 240_000
    world.cloud.stockOut({})
    const before = clock.now()
    const claim = await world.claim('a')
    for (let isOver = false; !isOver; ) {
      let hasAnswer = false
      const attempt = failureOf(provider.create(claim, never)).finally(() => {
        hasAnswer = true
      })
      await clock.runUntil(() => hasAnswer, limit)
      expect(clock.now() - before).toBeLessThan(limit)
      const pending = findError(await attempt, LaunchPendingError)
      if (pending === undefined) isOver = true
      else await clock.advance(pending.retryAfter)
    }
  },
  C27: async (world) => {
    const claim = await world.claim('a')
    const copy = structuredClone(claim)
    await create(world, claim)
    expect(claim).toEqual(copy)
  },
}
