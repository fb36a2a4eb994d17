import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from './call-counts.ts'
import { type CallsBench, measureCalls } from './idle-calls.ts'
import { recordedCalls } from './recorded-calls.ts'

/**
 * Defines the test of a cloud's recorded call counts. `npm run bench:calls` counts an hour with each cluster size. The test counts only a
 * part of an hour, with fewer nodes: enough to find code that makes one call per node. The allowed counts are still those for 1,000 nodes.
 */
export const defineCallsTest = (
  bench: CallsBench,
  options: {
    /** A call that Kerf makes in its first minute, so that the test cannot pass without counting. */
    readonly certain: string
    /** The number of nodes. The default is 200. */
    readonly nodes?: number
  },
): void => {
  const { cloud } = bench
  const recorded = recordedCalls(bench.recorded)
  const cases = [
    { size: 0, settled: 10, steady: isNightly() ? 60 : 20 },
    { size: isNightly() ? 1_000 : (options.nodes ?? 200), settled: 4, steady: 4 },
  ] as const
  test.each(sampled(cases, 1, `calls to ${cloud}`))(
    `with $size nodes no call to ${cloud} is made more often than was recorded`,
    { timeout: 300_000 },
    async ({ size, settled, steady }) => {
      const thresholds = recorded[size === 0 ? '0' : '1000']
      if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
      const measured = await measureCalls(bench, size, { settled: settled * MINUTE, steady: steady * MINUTE })
      expect(measured.writes).toBe(0)
      expect(measured.firstMinute[options.certain]).toBeGreaterThan(0)
      expect(aboveThreshold(measured.firstMinute, (name) => thresholds.firstMinute[name] ?? 0)).toEqual([])
      expect(aboveThreshold(measured.steady, (name) => shareOfHour(thresholds.steady[name] ?? 0, steady))).toEqual([])
    },
  )
}
