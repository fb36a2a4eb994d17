import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from './measure.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const recorded = recordedCalls()
const CLUSTERS = ['workload', 'management'] as const
/** The maximum number of watch requests per kind and hour, because a watch ends after five to ten minutes. */
const MOST_WATCHES = 12

const sizeOf = (size: number) => {
  const found = recorded[`${size}`]
  if (found === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
  return found
}

test.each(SIZES)('with %i nodes a steady hour has only watches, and updates of the Lease', (size) => {
  for (const cluster of CLUSTERS)
    for (const [call, count] of Object.entries(sizeOf(size)[cluster].steady)) {
      expect(call).toMatch(/^watch |^update leases$/)
      if (call !== 'update leases') expect(count).toBeLessThanOrEqual(MOST_WATCHES)
    }
})

test('a thousand nodes cause as many calls to the management cluster as none', () => {
  const [none, thousand] = SIZES.map((size) => sizeOf(size).management.steady)
  expect(Object.keys(thousand ?? {}).sort()).toEqual(Object.keys(none ?? {}).sort())
})

// Unlike this test, `npm run bench:calls -- cluster-api` counts the calls of a whole hour with each cluster size.
test.each([
  { size: 0, settled: 10, steady: 20 },
  { size: 200, settled: 4, steady: 4 },
])(
  'with $size nodes no call is made more often than was recorded',
  async ({ size, settled, steady }) => {
    const measured = await measureCalls(size, { settled: settled * MINUTE, steady: steady * MINUTE })
    const thresholds = sizeOf(size === 0 ? 0 : 1_000)
    for (const cluster of CLUSTERS) {
      const { firstMinute, steady: rest } = measured[cluster]
      expect(aboveThreshold(firstMinute, (call) => thresholds[cluster].firstMinute[call] ?? 0)).toEqual([])
      expect(aboveThreshold(rest, (call) => shareOfHour(thresholds[cluster].steady[call] ?? 0, steady))).toEqual([])
    }
  },
  300_000,
)
