import { expect, test } from 'vitest'
import { barTable, moveBars, upBars } from './bars.ts'
import type { Phase } from './measure.ts'
import type { RawRun } from './raw-runs.ts'

const phase = {
  pods: 4,
  hourlyCost: 2,
  spent: 1,
  evictions: 5,
  mostDown: 4,
  lastBound: 3_000,
  lastOpen: 2_000,
  boughtLate: 0,
  settledAfter: 10,
  writes: { 'patch pods/status': 4 },
  used: { cpuSeconds: 1, peakMebibytes: 100 },
} as unknown as Phase

const raw = (autoscaler: string, change: Partial<Phase> = {}): RawRun =>
  ({ run: { autoscaler, up: { ...phase, ...change }, down: { ...phase, ...change } } }) as unknown as RawRun

const verdicts = (bars: readonly { readonly what: string; readonly isMet: boolean }[]) =>
  Object.fromEntries(bars.map(({ what, isMet }) => [what, isMet]))

test('compares the last pod, the cost and the processor time with upstream', () => {
  const runs = [raw('kerf', { hourlyCost: 1.7 }), raw('upstream', { lastBound: 2_900 })]
  const bars = upBars(runs, [])
  expect(verdicts(bars)).toEqual({
    'last pod bound, s': false,
    'dollars an hour': false,
    'last pod after the limit, s': true,
    'nodes bought late': true,
    'patches a pod': true,
    'processor time, s': true,
  })
  expect(bars[1]).toEqual({ what: 'dollars an hour', measured: '1.70 (0.85)', bar: '0.82 × 2.00', isMet: false })
})

test('if only Kerf was measured, its slowest run counts', () => {
  const alone = [1_000, 1_000, 1_000, 1_400].map((lastBound) => raw('kerf', { lastBound }))
  expect(upBars([raw('kerf'), raw('upstream')], alone).at(-1)).toEqual({
    what: 'slowest of 4 runs of Kerf alone, s',
    measured: '1.4',
    bar: '1.3 × 1.0',
    isMet: false,
  })
})

test('Kerf misses the target if its cluster never settles, and meets it if only upstream’s cluster never settles', () => {
  const never = { settledAfter: Number.NaN }
  const quiet = (kerf: Partial<Phase>, upstream: Partial<Phase>) =>
    verdicts(moveBars([raw('kerf', kerf), raw('upstream', upstream)], [], []))['quiet after, s']
  expect(quiet(never, {})).toBe(false)
  expect(quiet({}, never)).toBe(true)
  expect(quiet({ settledAfter: 7 }, {})).toBe(true)
  expect(quiet({ settledAfter: 8 }, {})).toBe(false)
  // A run without the value counts as later than both others, so the larger of the two finite values is the median.
  const theirs = [never, {}, { settledAfter: 20 }].map((phase) => raw('upstream', phase))
  const one = moveBars([raw('kerf'), ...theirs], [], [])
  expect(one.find(({ what }) => what === 'quiet after, s')?.bar).toBe('0.7 × 20')
  // If upstream never settled, there is no ratio.
  const bars = moveBars([raw('kerf', {}), raw('upstream', never)], [], [])
  expect(bars.find(({ what }) => what === 'quiet after, s')).toMatchObject({ measured: '10', bar: '0.7 × –' })
})

test('counts nodes that were launched after the cut and deleted again, in any run', () => {
  const bars = (...undone: number[]) =>
    verdicts(
      moveBars(
        undone.map((nodesUndone) => raw('kerf', { nodesUndone })),
        [],
        [],
      ),
    )['new nodes deleted before settling, worst run']
  expect(bars(0, 0, 0)).toBe(true)
  expect(bars(0, 0, 1)).toBe(false)
  expect(Object.keys(verdicts(moveBars([raw('kerf')], [], [])))).not.toContain(
    'new nodes deleted before settling, worst run',
  )
})

test('highlights missed targets', () => {
  const bars = [{ what: 'x', measured: '2', bar: '1', isMet: false }]
  expect(
    barTable([{ title: 'a', bars }])
      .split('\n')
      .at(-1),
  ).toBe('| a | x | 2 | 1 | **missed** |')
})
