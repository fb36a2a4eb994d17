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
  test.each([1, 2, 3])(
    `${separation}, seed %i: the autoscalers never both buy for the same pods, and no node has two owners`,
    async (seed) => {
      const facts = await played(separation, seed)
      expect(problemsApart(facts)).toEqual([])
      // The two autoscalers together bought enough CPUs for each wave. If they had bought fewer, the check above would prove nothing.
      for (const { asked, byKerf, byAutoscaler } of facts.waves)
        expect(byKerf + byAutoscaler).toBeGreaterThanOrEqual(asked - 8)
    },
  )

test.each([1, 2, 3])(
  'without a separation, seed %i: both autoscalers buy for the same pods, and Kerf’s nodes keep their pods',
  async (seed) => {
    const facts = await played('none', seed)
    expect(facts.boughtTwice).toBeGreaterThan(0)
    expect(problemsTogether(facts)).toEqual([])
  },
)

test('without the setting, in at least one of a few runs Kerf removes nodes and counts on free capacity of node groups', async () => {
  let leaned: readonly string[] = []
  for (let seed = 1; seed <= 12 && leaned.length === 0; seed++)
    leaned = (await played('none', seed, standardTimeline, 'count')).leaned
  expect(leaned).not.toEqual([])
})
