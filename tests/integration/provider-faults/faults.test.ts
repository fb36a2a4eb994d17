import { type CheckId, checkIds, runCheck } from '@kerf/provider-contract/conformance'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { exampleDriver, exampleHarness } from '../../../providers/example/src/testing/conformance-driver.ts'
import { faults } from './faults.ts'
import type { Plant } from './planting.ts'
import { slowLaunch } from './slow-launch.ts'

const SEED = 1
const applicable = checkIds.filter((id) => exampleDriver.notApplicable[id] === undefined)

/** Returns the given checks that fail on the provider. */
const failedChecks = async (plant: Plant, ids: readonly CheckId[]): Promise<readonly CheckId[]> => {
  const driver = { ...exampleDriver, createHarness: (seed: number) => exampleHarness(seed, plant) }
  const failed: CheckId[] = []
  for (const id of ids) await runCheck(driver, id, SEED).catch(() => failed.push(id))
  return failed
}

describe('the conformance suite', () => {
  test('a separate check finds each of at least twenty different faults', () => {
    expect(faults.length).toBeGreaterThanOrEqual(20)
    expect(new Set(faults.map(({ check }) => check)).size).toBe(faults.length)
  })

  test.each(faults.map((fault) => [fault.check, fault.name, fault] as const))(
    '%s: %s',
    async (check, _, { also = [], plant }) => {
      const isMeant = (id: CheckId): boolean => id === check || also.includes(id)
      const others = sampled(
        applicable.filter((id) => !isMeant(id)),
        3,
        check,
      )
      const ids = applicable.filter((id) => isMeant(id) || others.includes(id))
      expect(await failedChecks(plant, ids)).toEqual(applicable.filter(isMeant))
    },
  )

  test('a launch may be pending for minutes if the provider declares it', async () => {
    expect(await failedChecks(slowLaunch({ launchTimeout: 600_000 }), sampled(applicable, 8, 'slow launch'))).toEqual(
      [],
    )
  })

  test('a pending launch without a launchTimeout counts as failed', async () => {
    expect(await failedChecks(slowLaunch({}), ['C01'])).toEqual(['C01'])
  })
})
