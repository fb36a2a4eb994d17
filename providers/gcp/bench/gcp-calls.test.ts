import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from '../../../tests/benchmarks/idle-calls.ts'
import { recordedCalls } from '../../../tests/benchmarks/recorded-calls.ts'
import { callsBench } from './calls-bench.ts'

const recorded = recordedCalls(callsBench.recorded)

/**
 * The number of nodes in this test. 200 nodes are enough to expose code that makes one call per node. The call limits stay those for 1,000
 * nodes.
 */
const SOME = isNightly() ? 1_000 : 200

// Unlike this test, `npm run bench:gcp-calls` counts the calls of a whole hour with each cluster size.
const sizes = [
  { size: 0, settled: 10, steady: isNightly() ? 60 : 10 },
  { size: SOME, settled: 4, steady: 4 },
]

test.each(sampled(sizes, 1, 'calls to Google Cloud'))(
  'with $size nodes no method of Google Cloud is called more often than was recorded',
  { timeout: 300_000 },
  async ({ size, settled, steady }) => {
    const thresholds = recorded[size === 0 ? '0' : '1000']
    if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
    const measured = await measureCalls(callsBench, size, { settled: settled * MINUTE, steady: steady * MINUTE })
    expect(measured.writes).toBe(0)
    expect(measured.firstMinute['compute.instances.list']).toBeGreaterThan(0)
    expect(aboveThreshold(measured.firstMinute, (name) => thresholds.firstMinute[name] ?? 0)).toEqual([])
    expect(aboveThreshold(measured.steady, (name) => shareOfHour(thresholds.steady[name] ?? 0, steady))).toEqual([])
  },
)
