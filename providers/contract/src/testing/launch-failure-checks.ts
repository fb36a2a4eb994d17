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
import { offeringCoordinates } from '../offerings.ts'
import type { Checks, ConformanceHarness } from './conformance-driver.ts'
import { bought, create, expectRejection, instances, launch, needs, never, types } from './launching.ts'

/** Returns the unavailable offerings in the form `CAPACITY_TYPE:INSTANCE_TYPE:ZONE`. */
export const unavailable = async (harness: ConformanceHarness): Promise<readonly string[]> =>
  (await types(harness)).flatMap((type) =>
    type.offerings
      .filter(({ available }) => !available)
      .map((offering) => {
        const { capacityType, instanceType, zone } = offeringCoordinates(type, offering)
        return `${capacityType}:${instanceType}:${zone}`
      }),
  )

/** Checks that a failed launch has no lasting effect: no instance remains, and no offering becomes unavailable. */
const isHarmless = async (harness: ConformanceHarness, kind: 'throttle' | 'auth' | 'network' | 'serverError') => {
  const claim = await harness.claim(`harmless-${kind.toLowerCase()}`)
  harness.cloud.fail('launch', kind)
  const error = await expectRejection(create(harness, claim))
  harness.cloud.recover()
  expect(isInsufficientCapacity(error) || isNodeClassNotReady(error) || isNodeClaimNotFound(error)).toBe(false)
  expect(String(error)).not.toBe('')
  expect(await instances(harness)).toEqual([])
  expect(await unavailable(harness)).toEqual([])
}

/** Checks of launches that cannot succeed: node classes that are not ready, missing capacity, failing calls. */
export const launchFailureChecks: Checks = {
  C14: async (harness) => {
    for (const state of ['deleting', 'missing'] as const) {
      await harness.setNodeClass(state)
      harness.events.events.length = 0
      const claim = await harness.claim(`class-${state}`)
      expect(isInsufficientCapacity(await expectRejection(create(harness, claim))), state).toBe(true)
      expect(harness.events.events.length, state).toBeGreaterThan(0)
      expect(await instances(harness)).toEqual([])
    }
  },
  C15: async (harness) => {
    await harness.setNodeClass('notReady')
    const claim = await harness.claim('a')
    expect(isNodeClassNotReady(await expectRejection(create(harness, claim)))).toBe(true)
    await harness.setNodeClass('unknown')
    const error = findError(await expectRejection(create(harness, claim)), CreateError)
    expect(error?.reason).toBe('NodeClassReadinessUnknown')
    expect(harness.cloud.count('launch')).toBe(0)
  },
  C16: async (harness) => {
    const claim = await harness.claim('a', { requirements: [needs(labels.instanceType, 'no-such-type')] })
    expect(isInsufficientCapacity(await expectRejection(create(harness, claim)))).toBe(true)
    expect(harness.cloud.count('launch')).toBe(0)
  },
  C17: async (harness) => {
    const { view } = await launch(harness, 'first')
    const { type, zone, capacityType } = bought(view)
    const requirements = [
      needs(labels.instanceType, type),
      needs(labels.zone, zone),
      needs(labels.capacityType, capacityType),
    ]
    harness.cloud.stockOut({ instanceType: type, zone, capacityType })
    const claim = await harness.claim('second', { requirements })
    expect(isInsufficientCapacity(await expectRejection(create(harness, claim)))).toBe(true)
    expect(await unavailable(harness)).toEqual([`${capacityType}:${type}:${zone}`])
    const third = await launch(harness, 'third')
    expect(bought(third.view)).not.toEqual({ type, zone, capacityType })
  },
  C18: async (harness, driver) => {
    harness.cloud.stockOut({})
    const claim = await harness.claim('a')
    expect(isInsufficientCapacity(await expectRejection(create(harness, claim)))).toBe(true)
    expect((await unavailable(harness)).length).toBeGreaterThan(0)
    harness.cloud.restock()
    await harness.clock.advance(driver.unavailableFor + 1_000)
    expect(await unavailable(harness)).toEqual([])
    expect((await create(harness, claim)).providerID).toMatch(driver.providerID)
  },
  C19: async (harness, driver) => {
    for (const capacityType of ['spot', 'on-demand']) {
      harness.cloud.restock()
      await harness.clock.advance(driver.unavailableFor + 1_000)
      harness.cloud.stockOut({ capacityType })
      const requirements = [needs(labels.capacityType, capacityType)]
      const claim = await harness.claim(`only-${capacityType}`, { requirements })
      expect(isInsufficientCapacity(await expectRejection(create(harness, claim)))).toBe(true)
      expect((await unavailable(harness)).every((offering) => offering.startsWith(`${capacityType}:`))).toBe(true)
    }
  },
  C21: async (harness) => {
    for (const kind of ['throttle', 'network', 'serverError'] as const) await isHarmless(harness, kind)
  },
  C22: async (harness) => {
    await isHarmless(harness, 'auth')
  },
  C25: async (harness) => {
    const { clock, provider } = harness
    const limit = provider.launchTimeout ?? 240_000
    harness.cloud.stockOut({})
    const before = clock.now()
    const claim = await harness.claim('a')
    for (let isOver = false; !isOver; ) {
      let hasAnswer = false
      const attempt = expectRejection(provider.create(claim, never)).finally(() => {
        hasAnswer = true
      })
      await clock.runUntil(() => hasAnswer, limit)
      expect(clock.now() - before).toBeLessThan(limit)
      const pending = findError(await attempt, LaunchPendingError)
      if (pending === undefined) isOver = true
      else await clock.advance(pending.retryAfter)
    }
  },
  C27: async (harness) => {
    const claim = await harness.claim('a')
    const copy = structuredClone(claim)
    await create(harness, claim)
    expect(claim).toEqual(copy)
  },
}
