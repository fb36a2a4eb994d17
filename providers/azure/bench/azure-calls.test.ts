import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from './measure.ts'
import { recordedCalls } from './recorded-calls.ts'

const recorded = recordedCalls()

/**
 * The number of nodes in this test. 200 nodes are enough to expose code that makes one call per node. The call limits stay those for 1,000
 * nodes.
 */
const SOME = isNightly() ? 1_000 : 200

// Unlike this test, `npm run bench:calls -- azure` counts the calls of a whole hour with each cluster size.
const cases = [
  { kind: 'vms', size: 0, settled: 10, steady: isNightly() ? 60 : 20 },
  { kind: 'vms', size: SOME, settled: 4, steady: 4 },
  { kind: 'machines', size: SOME, settled: 6, steady: 4 },
] as const

test.each(sampled(cases, 1, 'calls to Azure'))(
  'with $size nodes that are $kind, no operation of Azure is called more often than recorded',
  {
    timeout: 300_000,
  },
  async ({ kind, size, settled, steady }) => {
    const thresholds = recorded[kind]?.[size === 0 ? '0' : '1000']
    if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes that are ${kind}`)
    const measured = await measureCalls(size, { settled: settled * MINUTE, steady: steady * MINUTE, kind })
    expect(measured.writes).toBe(0)
    expect(measured.firstMinute['Resources']).toBeGreaterThan(0)
    expect(aboveThreshold(measured.firstMinute, (name) => thresholds.firstMinute[name] ?? 0)).toEqual([])
    expect(aboveThreshold(measured.steady, (name) => shareOfHour(thresholds.steady[name] ?? 0, steady))).toEqual([])
  },
)
