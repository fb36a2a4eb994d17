import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from '../../../tests/benchmarks/idle-calls.ts'
import { recordedCalls } from '../../../tests/benchmarks/recorded-calls.ts'
import { callsBench } from './calls-bench.ts'

const recorded = recordedCalls(callsBench.recorded)

/** 200 nodes are enough to expose code that makes one call per node. The limits stay those for 1,000 nodes. */
const SOME = isNightly() ? 1_000 : 200

const cases = [
  { size: 0, settled: 10, steady: isNightly() ? 60 : 20 },
  { size: SOME, settled: 4, steady: 4 },
] as const

// `npm run bench:proxmox-calls` counts the calls of a whole hour for every cluster size.
test.each(sampled(cases, 1, 'calls to Proxmox'))(
  'with $size nodes no call to Proxmox is made more often than was recorded',
  { timeout: 300_000 },
  async ({ size, settled, steady }) => {
    const thresholds = recorded[size === 0 ? '0' : '1000']
    if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
    const measured = await measureCalls(callsBench, size, { settled: settled * MINUTE, steady: steady * MINUTE })
    expect(measured.writes).toBe(0)
    expect(measured.firstMinute['GET /cluster/resources']).toBeGreaterThan(0)
    expect(aboveThreshold(measured.firstMinute, (name) => thresholds.firstMinute[name] ?? 0)).toEqual([])
    expect(aboveThreshold(measured.steady, (name) => shareOfHour(thresholds.steady[name] ?? 0, steady))).toEqual([])
  },
)
