import { expect, test } from 'vitest'
import { KNOWN } from './known.ts'
import { explainFailure } from './replay.ts'
import { drawRun } from './runs/draw-run.ts'
import { type Outcome, simulate } from './simulate.ts'
import { playAll } from './workers/pool.ts'

const SEEDS = Array.from({ length: 100 + KNOWN.size }, (_, index) => index + 1).filter((seed) => !KNOWN.has(seed))

test('a hundred random runs with faults violate nothing', { timeout: 900_000 }, async () => {
  const outcomes: Outcome[] = []
  const broken: string[] = []
  await playAll(SEEDS, {
    workers: 2,
    onAnswer: (answer) => {
      if (answer.kind === 'broken') broken.push(`seed ${answer.seed}: ${answer.message}`)
      else outcomes.push(answer.outcome)
      return 'go on'
    },
  })
  expect(broken).toEqual([])
  const failed = outcomes.filter(({ violation }) => violation !== undefined)
  expect(failed.length === 0 ? [] : [await explainFailure(failed[0] as Outcome)]).toEqual([])
  expect(outcomes).toHaveLength(SEEDS.length)
  // They were not idle: processes died, and nodes came and went.
  expect(outcomes.reduce((sum, { restarts }) => sum + restarts, 0)).toBeGreaterThan(50)
  expect(outcomes.reduce((sum, { claims }) => sum + claims, 0)).toBeGreaterThan(500)
})

test('three of ten runs are on AWS', () => {
  const clouds = Array.from({ length: 1_000 }, (_, index) => drawRun(index + 1).cloud)
  const onAws = clouds.filter((cloud) => cloud === 'aws').length
  expect(onAws).toBeGreaterThan(250)
  expect(onAws).toBeLessThan(350)
})

test.each([
  { seed: 2, cloud: 'simulated' },
  { seed: 3, cloud: 'aws' },
])('a seed plays the same run every time, on $cloud', async ({ seed, cloud }) => {
  expect(drawRun(seed).cloud).toBe(cloud)
  const traceOf = async (seed: number): Promise<readonly string[]> => {
    const lines: string[] = []
    await simulate(drawRun(seed), (line) => lines.push(line))
    return lines
  }
  expect(await traceOf(seed)).toEqual(await traceOf(seed))
})
