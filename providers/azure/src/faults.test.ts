import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { FaultRun } from './testing/fault-run.ts'

const SEEDS = sampled(
  Array.from({ length: 50 }, (_, index) => index + 1),
  3,
  'azure faults',
)

test('runs with faults at every request leave nothing behind', { timeout: 240_000 }, async () => {
  let [deaths, launches] = [0, 0]
  for (const seed of SEEDS) {
    const run = await FaultRun.create(seed)
    await run.play(40)
    await run.calm()
    const left = run.azure.resources().map(({ type, name }) => `${type} ${name}`)
    expect({ seed, left, claims: await run.claimNames() }).toEqual({ seed, left: [], claims: [] })
    deaths += run.deaths
    launches += run.launches
    run.stop()
  }
  // Checks that the runs are meaningful: they launch enough instances, and enough processes die.
  expect(launches).toBeGreaterThan(4 * SEEDS.length)
  expect(deaths).toBeGreaterThan(SEEDS.length)
})
