import { type CustomResource, coreResources } from '@kerf/apis'
import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { KNOWN } from './known.ts'
import { CLOUDS, cloudDraws, SHARES, UNDRAWN } from './runs/cloud-names.ts'
import { drawRun } from './runs/draw-run.ts'
import type { CloudName } from './runs/simulated-run.ts'
import { type Outcome, simulate } from './simulate.ts'

const seeds = (count: number): readonly number[] =>
  Array.from({ length: count + KNOWN.size }, (_, index) => index + 1).filter((seed) => !KNOWN.has(seed))

/** Runs the simulations of the seeds. On the first violation, fails with the command that shortens that run. */
const played = async (seeds: readonly number[], cloud?: CloudName): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const seed of seeds) {
    const outcome = await simulate(drawRun(seed, cloud))
    const command = `npm run sim -- --seeds 1 --from ${seed}${cloud === undefined ? '' : ` --cloud ${cloud}`}`
    expect(outcome.violation, command).toBeUndefined()
    outcomes.push(outcome)
  }
  return outcomes
}

const sum = (outcomes: readonly Outcome[], count: 'restarts' | 'claims'): number =>
  outcomes.reduce((total, outcome) => total + outcome[count], 0)

test('random runs with faults violate no invariant', async () => {
  const outcomes = await played(sampled(seeds(100), 4, 'seeds'))
  // Enough must happen in the runs: processes crash, and nodes are created and deleted.
  expect(sum(outcomes, 'restarts')).toBeGreaterThan(isNightly() ? 50 : 0)
  expect(sum(outcomes, 'claims')).toBeGreaterThan(isNightly() ? 500 : outcomes.length)
})

test.each(sampled(UNDRAWN, 3, 'clouds that no seed selects'))(
  'random runs on %s violate no invariant',
  async (cloud) => {
    const outcomes = await played(sampled(seeds(cloudDraws(cloud).seeds ?? 20), 1, cloud), cloud)
    expect(outcomes.map((outcome) => outcome.cloud)).toEqual(outcomes.map(() => cloud))
    expect(sum(outcomes, 'claims')).toBeGreaterThan(isNightly() ? outcomes.length * 5 : 0)
  },
)

test.each(SHARES)('the fraction $share of all runs uses $name', ({ name, share }) => {
  const count = 1_000
  const clouds = Array.from({ length: count }, (_, index) => drawRun(index + 1).cloud)
  const runs = clouds.filter((cloud) => cloud === name).length
  expect(runs).toBeGreaterThan(count * (share - 0.05))
  expect(runs).toBeLessThan(count * (share + 0.05))
})

/** A custom resource from another, unknown provider. */
const strangeResources: readonly CustomResource[] = coreResources.slice(0, 1).map((resource) => ({
  ...resource,
  ...{ kind: { ...resource.kind, group: 'strange.example', kind: 'Strange', plural: 'stranges' } },
  ...{ singular: 'strange', shortNames: [] },
}))

test.each(sampled(CLOUDS, 1, 'replayed'))(
  'a seed produces the same run every time, also beside the CRD of a further provider, on %s',
  async (cloud) => {
    const traceOf = async (furtherResources: readonly CustomResource[] = []): Promise<readonly string[]> => {
      const lines: string[] = []
      await simulate(drawRun(3, cloud), (line) => lines.push(line), { furtherResources })
      return lines
    }
    expect(await traceOf(strangeResources)).toEqual(await traceOf())
  },
)
