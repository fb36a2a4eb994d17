import { isNightly, sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { capabilityProblems } from './check-capabilities.ts'
import { type CheckId, checks } from './checks.ts'
import type { Checks, ConformanceDriver } from './conformance-driver.ts'
import { createChecks } from './create-checks.ts'
import { instanceChecks } from './instance-checks.ts'
import { instanceTypeChecks } from './instance-type-checks.ts'
import { launchFailureChecks } from './launch-failure-checks.ts'
import { providerChecks } from './provider-checks.ts'

export { type CheckId, checks } from './checks.ts'
export type * from './conformance-driver.ts'
export { defineDescriptorConformance } from './descriptor-conformance.ts'
export { create } from './launching.ts'
export type * from './provider-conformance.ts'

const SEEDS = [1, 2, 3] as const

const general: Checks = {
  ...createChecks,
  ...launchFailureChecks,
  ...instanceChecks,
  ...instanceTypeChecks,
  ...providerChecks,
}

/** The numbers of all checks. */
export const checkIds: readonly CheckId[] = Object.keys(checks).filter((id): id is CheckId => id in checks)

/**
 * Holds the provider to one check in a world of its own.
 *
 * @throws what the check found, and Error when neither the suite nor the driver has the check
 */
export const runCheck = async (driver: ConformanceDriver, id: CheckId, seed: number): Promise<void> => {
  const check = driver.own[id] ?? general[id]
  if (check === undefined)
    throw new Error(`the driver of ${driver.name} must implement ${id} or say why it cannot apply`)
  const world = await driver.createWorld(seed)
  try {
    await check(world, driver)
  } finally {
    world.stop()
  }
}

/** Which checks a driver is held to. */
export interface ConformanceScope {
  /** Checks that only a nightly run makes: of what another driver of the same provider shows with every change. None by default. */
  readonly isNightly?: (id: CheckId) => boolean
}

/**
 * Holds a provider to the contract: every check of `docs/spec/provider-contract.md#conformance-checks`, in virtual time, with one
 * of three seeds and in a nightly run with all three. A check that cannot apply is reported as skipped with the driver's reason;
 * one that neither the suite nor the driver implements fails.
 */
export const defineProviderConformance = (driver: ConformanceDriver, scope: ConformanceScope = {}): void => {
  describe(`${driver.name} conforms to the provider contract`, () => {
    test('a check is not applicable only where the provider says that it cannot', async () => {
      expect(capabilityProblems(driver.descriptor, driver.notApplicable)).toEqual([])
      const world = await driver.createWorld(1)
      const isSlow = world.provider.launchTimeout !== undefined
      world.stop()
      expect(isSlow && driver.notApplicable.C24 !== undefined, 'C24 applies to launches that take a while').toBe(false)
    })

    for (const id of checkIds) {
      const reason = driver.notApplicable[id]
      if (!isNightly() && scope.isNightly?.(id) === true) continue
      if (reason === undefined)
        test.each(sampled(SEEDS, 1, id))(`${id} ${checks[id]} (seed %i)`, (seed) => runCheck(driver, id, seed))
      else test.skip(`${id} ${checks[id]} (not applicable: ${reason})`)
    }
  })
}
