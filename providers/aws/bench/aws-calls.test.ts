import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from './measure.ts'
import { recordedCalls, SIZES, STEADY_FROM, upstreamMinutes } from './recorded-calls.ts'

const recorded = recordedCalls()
const HOUR = 60

test.each(SIZES)('with %i nodes, Kerf makes no more calls of any AWS action than upstream', (size) => {
  const [kerf, upstream] = [recorded.kerf[`${size}`], recorded.upstream[`${size}`]]
  if (kerf === undefined || upstream === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
  expect(aboveThreshold(kerf.firstMinute, (action) => upstream.firstMinute[action] ?? 0)).toEqual([])
  expect(aboveThreshold(kerf.steadyHour, (action) => upstream.steadyHour[action] ?? 0)).toEqual([])
})

test.each(SIZES)('with %i nodes, the recorded hour of upstream equals its counts per minute', (size) => {
  const { firstMinute, steadyHour } = recorded.upstream[`${size}`] ?? {}
  const minutes = upstreamMinutes()[`${size}`] ?? []
  const action = 'ec2:DescribeInstances'
  expect(firstMinute?.[action]).toBe(minutes[0])
  expect([...new Set(minutes.slice(STEADY_FROM).map((count) => count * HOUR))]).toEqual([steadyHour?.[action]])
})

/**
 * The number of nodes in this test. 200 nodes are enough to expose code that makes one call per node. The call limits stay those for 1,000
 * nodes.
 */
const SOME = isNightly() ? 1_000 : 200

// The test measures short periods. `npm run bench:calls -- aws` measures a whole hour for each cluster size, which takes minutes.
const cases = [
  { size: 0, settled: 10, steady: isNightly() ? 60 : 20 },
  { size: SOME, settled: 4, steady: 4 },
]

test.each(sampled(cases, 1, 'calls to AWS'))(
  'with $size nodes, no action is called more often than recorded',
  async ({ size, settled, steady }) => {
    const thresholds = recorded.kerf[size === 0 ? '0' : '1000']
    if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
    const measured = await measureCalls(size, { settled: settled * MINUTE, steady: steady * MINUTE })
    expect(measured.refused).toBe(0)
    expect(aboveThreshold(measured.firstMinute, (action) => thresholds.firstMinute[action] ?? 0)).toEqual([])
    expect(
      aboveThreshold(measured.steady, (action) => shareOfHour(thresholds.steadyHour[action] ?? 0, steady)),
    ).toEqual([])
  },
  300_000,
)
