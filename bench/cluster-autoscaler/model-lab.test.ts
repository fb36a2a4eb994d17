import { loadInstanceTypes } from '@kerf/provider-kwok'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { Separation } from './lab-objects.ts'
import { openModelLab } from './model-lab.ts'
import {
  drawTimeline,
  type LabFacts,
  problemsApart,
  problemsTogether,
  runLab,
  standardTimeline,
  type Timeline,
} from './run-lab.ts'

const played = async (
  separation: Separation,
  seed: number,
  timeline: Timeline = drawTimeline(new SeededRandom(seed)),
  foreignNodes: 'ignore' | 'count' = 'ignore',
): Promise<LabFacts> => {
  const cluster = await openModelLab({ separation, foreignNodes, seed, instanceTypes: await loadInstanceTypes() })
  try {
    return await runLab(cluster, timeline)
  } finally {
    await cluster.close()
  }
}

for (const separation of ['scopes', 'delay'] as const)
  test.each([1, 2, 3])(`${separation}, seed %i: nothing is bought twice or fought over`, async (seed) => {
    const facts = await played(separation, seed)
    expect(problemsApart(facts)).toEqual([])
    // The measure is not empty: what is needed was bought.
    for (const { asked, byKerf, byAutoscaler } of facts.waves)
      expect(byKerf + byAutoscaler).toBeGreaterThanOrEqual(asked - 8)
  })

test.each([1, 2, 3])(
  'nothing keeps them apart, seed %i: bursts are bought twice, and nodes of Kerf keep their pods',
  async (seed) => {
    const facts = await played('none', seed)
    expect(facts.boughtTwice).toBeGreaterThan(0)
    expect(problemsTogether(facts)).toEqual([])
  },
)

test('without the setting nodes of Kerf are given up for room on those of groups, in one of a few runs', async () => {
  const leaned: string[] = []
  for (const seed of [1, 2, 3]) leaned.push(...(await played('none', seed, standardTimeline, 'count')).leaned)
  expect(leaned).not.toEqual([])
})
