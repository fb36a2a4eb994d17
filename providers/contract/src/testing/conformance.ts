import { isNightly, oneIn, sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { acceptedCallChecks } from './accepted-call-checks.ts'
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
export { create, createWith, expectRejection, launch, never } from './launching.ts'
export * from './own-harnesses.ts'
export type * from './provider-conformance.ts'

const SEEDS = [1, 2, 3] as const

const general: Checks = {
  ...createChecks,
  ...launchFailureChecks,
  ...acceptedCallChecks,
  ...instanceChecks,
  ...instanceTypeChecks,
  ...providerChecks,
}

/** The ids of all checks. */
export const checkIds: readonly CheckId[] = Object.keys(checks).filter((id): id is CheckId => id in checks)

/**
 * Runs one check of the provider in a new harness.
 *
 * @throws the failure of the check, and Error if neither the suite nor the driver implements the check
 */
export const runCheck = async (driver: ConformanceDriver, id: CheckId, seed: number): Promise<void> => {
  const check = driver.own[id] ?? general[id]
  if (check === undefined)
    throw new Error(`the driver of ${driver.name} must implement ${id} or say why it cannot apply`)
  const harness = await driver.createHarness(seed)
  try {
    await check(harness, driver)
  } finally {
    harness.stop()
  }
}

/** Determines which checks run for a driver. */
export interface ConformanceScope {
  /**
   * Returns true for checks that run only at night, because another driver of the same provider runs them on every change. Default: none.
   */
  readonly isNightly?: (id: CheckId) => boolean
  /**
   * On a change, only one in so many of the checks that the driver does not implement itself runs. `KERF_SAMPLE_SEED` determines which. The
   * default is 1: all of them.
   */
  readonly generalOneIn?: number
}

/**
 * Defines the tests of a provider: every check of `docs/spec/provider-contract.md#conformance-checks`, in virtual time. On each change,
 * every check runs with one of three seeds. At night, every check runs with all three. A check that does not apply is skipped, and the
 * output contains the driver's reason. A check that neither the suite nor the driver implements fails.
 */
export const defineProviderConformance = (driver: ConformanceDriver, scope: ConformanceScope = {}): void => {
  describe(`${driver.name} conforms to the provider contract`, () => {
    test('the checks that do not apply match the capabilities of the provider', async () => {
      expect(capabilityProblems(driver.descriptor, driver.notApplicable)).toEqual([])
      const harness = await driver.createHarness(1)
      const isSlow = harness.provider.launchTimeout !== undefined
      harness.stop()
      expect(isSlow && driver.notApplicable.C24 !== undefined, 'C24 applies to launches that take a while').toBe(false)
    })

    const isDrawn = oneIn(scope.generalOneIn ?? 1, `checks of ${driver.name}`)
    for (const id of checkIds) {
      const reason = driver.notApplicable[id]
      if (!isNightly() && scope.isNightly?.(id) === true) continue
      if (reason === undefined && driver.own[id] === undefined && !isDrawn()) continue
      if (reason === undefined)
        test.each(sampled(SEEDS, 1, id))(`${id} ${checks[id]} (seed %i)`, (seed) => runCheck(driver, id, seed))
      else test.skip(`${id} ${checks[id]} (not applicable: ${reason})`)
    }
  })
}
