import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { FaultRun } from './testing/fault-run.ts'

const SEEDS = sampled(
  Array.from({ length: 50 }, (_, index) => index + 1),
  2,
  'cluster-api faults',
)

test.each(SEEDS)(
  'with random faults nothing is leaked, and no Machine of others is deleted (seed %i)',
  async (seed) => {
    const run = await FaultRun.start(seed)
    try {
      await run.play(60)
      await run.calm()
      expect(await run.claimNames()).toEqual([])
      const wanted = [...run.ofOthers].map(([name, count]) => [name, [count, count, 0]])
      expect(await run.standing()).toEqual(Object.fromEntries(wanted))
      expect(await run.missing()).toEqual([])
      expect(run.witness.wrongs).toEqual([])
    } finally {
      run.stop()
    }
  },
)

test('a seed replays exactly', async () => {
  const traces = await Promise.all(
    [1, 2].map(async () => {
      const run = await FaultRun.start(7)
      try {
        await run.play(30)
        await run.calm()
        return [...run.witness.trace, JSON.stringify(await run.standing())]
      } finally {
        run.stop()
      }
    }),
  )
  expect(traces[0]?.length).toBeGreaterThan(10)
  expect(traces[1]).toEqual(traces[0])
})
