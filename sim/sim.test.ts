import { expect, test } from 'vitest'
import { KNOWN } from './known.ts'
import { explainFailure } from './replay.ts'
import { CLOUDS, type CloudName, isDrawn } from './runs/cloud-names.ts'
import { drawRun } from './runs/draw-run.ts'
import { type Outcome, simulate } from './simulate.ts'
import { playAll } from './workers/pool.ts'

const seeds = (count: number): readonly number[] =>
  Array.from({ length: count + KNOWN.size }, (_, index) => index + 1).filter((seed) => !KNOWN.has(seed))

/** Plays the seeds, and fails with the shortest run of one that violates something. */
const played = async (seeds: readonly number[], cloud?: CloudName): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = []
  const broken: string[] = []
  await playAll(seeds, {
    workers: 2,
    ...(cloud === undefined ? {} : { cloud }),
    onAnswer: (answer) => {
      if (answer.kind === 'broken') broken.push(`seed ${answer.seed}: ${answer.message}`)
      else outcomes.push(answer.outcome)
      return 'go on'
    },
  })
  expect(broken).toEqual([])
  const failed = outcomes.filter(({ violation }) => violation !== undefined)
  expect(failed.length === 0 ? [] : [await explainFailure(failed[0] as Outcome)]).toEqual([])
  expect(outcomes).toHaveLength(seeds.length)
  return outcomes
}

test('a hundred random runs with faults violate nothing', { timeout: 900_000 }, async () => {
  const outcomes = await played(seeds(100))
  // They were not idle: processes died, and nodes came and went.
  expect(outcomes.reduce((sum, { restarts }) => sum + restarts, 0)).toBeGreaterThan(50)
  expect(outcomes.reduce((sum, { claims }) => sum + claims, 0)).toBeGreaterThan(500)
})

/** Fewer on Azure: each request there goes through the clients of the SDK, which takes several times as long. */
const FEW: Partial<Readonly<Record<CloudName, number>>> = { azure: 10 }

test.each(CLOUDS.filter((cloud) => !isDrawn(cloud)).map((cloud) => ({ cloud, count: FEW[cloud] ?? 20 })))(
  '$count such runs on $cloud violate nothing',
  {
    timeout: 300_000,
  },
  async ({ cloud, count }) => {
    const outcomes = await played(seeds(count), cloud)
    expect(outcomes.map((outcome) => outcome.cloud)).toEqual(outcomes.map(() => cloud))
    expect(outcomes.reduce((sum, { restarts }) => sum + restarts, 0)).toBeGreaterThan(count / 2)
    expect(outcomes.reduce((sum, { claims }) => sum + claims, 0)).toBeGreaterThan(count * 5)
  },
)

test('three of ten runs are on AWS', () => {
  const clouds = Array.from({ length: 1_000 }, (_, index) => drawRun(index + 1).cloud)
  const onAws = clouds.filter((cloud) => cloud === 'aws').length
  expect(onAws).toBeGreaterThan(250)
  expect(onAws).toBeLessThan(350)
})

test.each([
  { seed: 2, cloud: 'simulated', named: undefined },
  { seed: 3, cloud: 'aws', named: undefined },
  { seed: 3, cloud: 'azure', named: 'azure' },
  { seed: 3, cloud: 'example', named: 'example' },
] as const)('a seed plays the same run every time, on $cloud', async ({ seed, cloud, named }) => {
  expect(drawRun(seed, named).cloud).toBe(cloud)
  const traceOf = async (): Promise<readonly string[]> => {
    const lines: string[] = []
    await simulate(drawRun(seed, named), (line) => lines.push(line))
    return lines
  }
  expect(await traceOf()).toEqual(await traceOf())
})
