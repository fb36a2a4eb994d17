import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE, shareOfHour } from '../call-counts.ts'
import { measureCalls } from './measure.ts'
import { recordedCalls } from './recorded-calls.ts'

const recorded = recordedCalls()

// The whole hour of every size is what `npm run bench:azure-calls` counts.
test.each([
  { size: 0, settled: 10, steady: 60 },
  { size: 1_000, settled: 4, steady: 4 },
])(
  'with $size nodes no operation of Azure is asked for more often than was recorded',
  {
    timeout: 300_000,
  },
  async ({ size, settled, steady }) => {
    const thresholds = recorded[`${size}`]
    if (thresholds === undefined) throw new Error(`nothing is recorded for ${size} nodes`)
    const measured = await measureCalls(size, { settled: settled * MINUTE, steady: steady * MINUTE })
    expect(measured.writes).toBe(0)
    expect(measured.firstMinute['Resources']).toBeGreaterThan(0)
    expect(aboveThreshold(measured.firstMinute, (name) => thresholds.firstMinute[name] ?? 0)).toEqual([])
    expect(aboveThreshold(measured.steady, (name) => shareOfHour(thresholds.steady[name] ?? 0, steady))).toEqual([])
  },
)
