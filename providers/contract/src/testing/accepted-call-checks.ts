import { expect } from 'vitest'
import { isInsufficientCapacity, isNodeClaimNotFound, isNodeClassNotReady } from '../errors.ts'
import type { Checks, ConformanceHarness } from './conformance-driver.ts'
import { deleteClaim } from './instance-checks.ts'
import { unavailable } from './launch-failure-checks.ts'
import { create, createWith, expectRejection, instances, launch, never, repeating } from './launching.ts'

/** The failures after which the caller cannot determine whether the call took effect. */
const KINDS = ['serverError', 'network'] as const

const failAfterwards = ({ cloud }: ConformanceHarness, call: 'launch' | 'terminate', kind: (typeof KINDS)[number]) => {
  if (cloud.failAfterwards === undefined) throw new Error('the fake cloud cannot fail a call after it took effect')
  cloud.failAfterwards(call, kind)
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** Checks of calls that take effect although they return an error. */
export const acceptedCallChecks: Checks = {
  C30: async (harness) => {
    for (const kind of KINDS)
      for (const isRestarted of [false, true]) {
        const claim = await harness.claim(`accepted-${kind.toLowerCase()}-${isRestarted}`)
        const others = await instances(harness)
        failAfterwards(harness, 'launch', kind)
        const error = await failureOf(create(harness, claim))
        harness.cloud.recover()
        expect(isInsufficientCapacity(error) || isNodeClassNotReady(error) || isNodeClaimNotFound(error), kind).toBe(
          false,
        )
        if (isRestarted) harness.restart()
        const [view] = await createWith(harness.clock, [[repeating(harness.provider), claim]])
        const own = (await instances(harness)).filter((id) => !others.includes(id))
        expect(own, `${kind}, restarted: ${isRestarted}`).toEqual([view?.providerID])
        expect(await unavailable(harness)).toEqual([])
      }
  },
  D09: async (harness, driver) => {
    for (const kind of KINDS) {
      const { claim } = await launch(harness, `accepted-${kind.toLowerCase()}`)
      await deleteClaim(harness, claim)
      failAfterwards(harness, 'terminate', kind)
      expect(isNodeClaimNotFound(await failureOf(harness.provider.delete(claim, never))), kind).toBe(false)
      harness.cloud.recover()
      const again = await failureOf(harness.provider.delete(claim, never))
      expect(again === undefined || isNodeClaimNotFound(again), `${kind}: ${String(again)}`).toBe(true)
      await harness.clock.advance(driver.terminationDelay + 1_000)
      expect(isNodeClaimNotFound(await expectRejection(harness.provider.delete(claim, never))), kind).toBe(true)
      expect(await harness.cloud.instances(), kind).toEqual([])
    }
  },
}
