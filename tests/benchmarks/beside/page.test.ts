import { expect, test } from 'vitest'
import { linePlot } from './line-plot.ts'
import type { Phase } from './measure.ts'
import { figureTable, MOVES, medianTable, UP, withPart } from './page.ts'
import type { RawRun } from './raw-runs.ts'

const phase: Phase = {
  running: 4,
  pods: 4,
  nodes: 1,
  claims: 1,
  hourlyCost: 2,
  evictions: 0,
  nodesMade: 1,
  nodesGone: 0,
  nodesUndone: 0,
  spent: 0.5,
  costs: [],
  lastChange: 0,
  bound: [],
  lastBound: 3_000,
  lastOpen: 2_000,
  boughtLate: 0,
  runningAfter: 3,
  settledAfter: 3,
  hasSettled: true,
  mostDown: 4,
  writes: { 'patch pods/status': 6 },
  used: { cpuSeconds: 1, peakMebibytes: 100 },
}
const raw = (autoscaler: string, pair: number, up: Partial<Phase> = {}): RawRun => ({
  pair,
  commit: '0123abcd',
  measuredAt: '2026-01-05T08:00:00.000Z',
  load: pair,
  workload: { capacityTypes: 'on-demand', podMix: 'mixed' },
  options: { podMix: 'mixed', from: 4, to: 2, quiet: 1, cutAfter: 1, timeout: 1, drift: false },
  run: { autoscaler, up: { ...phase, ...up }, down: phase, drifted: undefined, used: phase.used },
})

test('each autoscaler has a row with the median and the range of its runs', () => {
  const runs = [raw('kerf', 1), raw('upstream', 1), raw('kerf', 2, { lastBound: 5_000 }), raw('kerf', 3)]
  const table = figureTable(UP, [{ title: '4 pods', runs, phase: ({ run }) => run.up }])
  const [, , kerf, upstream, ...others] = table.split('\n')
  expect(others).toEqual([])
  expect(kerf).toBe('| 4 pods | kerf `0123abcd` | 3 | 1 to 3 | 3.0 (3.0 to 5.0) | 2.0 | 2.00 | 0 | 1.50 | 1.0 | 100 |')
  expect(upstream).toContain('| 4 pods | upstream | 1 | 1 to 1 | 3.0 |')
})

test('the documentation’s table has one row for all runs of Kerf, and one for Karpenter', () => {
  const other = { ...raw('kerf', 3), commit: 'fedcba98' }
  const runs = [raw('kerf', 1), raw('upstream', 1), raw('kerf', 2, { lastBound: 5_000 }), other]
  const [, , kerf, upstream, ...others] = medianTable(UP, [
    { title: '4 pods', runs, phase: ({ run }) => run.up },
  ]).split('\n')
  expect(others).toEqual([])
  expect(kerf).toBe('| 4 pods | Kerf | 3 | 3.0 | 2.0 | 2.00 | 0 | 1.50 | 1.0 | 100 |')
  expect(upstream).toContain('| 4 pods | Karpenter | 1 | 3.0 |')
})

test('runs of the image’s program have their own row, separate from runs of the sources', () => {
  const before = raw('kerf', 1)
  const now = { ...before, run: { ...before.run, program: { command: 'node kerf.mjs run', sha256: '01' } } }
  const lines = figureTable(UP, [{ title: '4 pods', runs: [before, now], phase: ({ run }) => run.up }]).split('\n')
  expect(lines.slice(2).map((line) => line.split(' | ')[1])).toEqual(['kerf `0123abcd`', 'kerf `0123abcd`, image'])
})

test('a run that ended before the cluster settled counts as slower than all other runs', () => {
  const never = { settledAfter: Number.NaN, hasSettled: false }
  const runs = [raw('kerf', 1), raw('kerf', 2, { settledAfter: 5 }), raw('kerf', 3, never)]
  const [, , line] = figureTable(MOVES, [{ title: 'cut', runs, phase: ({ run }) => run.up }]).split('\n')
  expect(line?.split(' | ')[5]).toBe('5 (3 to never)')
})

test('the start of a program does not count if it is before the pods arrive', () => {
  const [, , line] = figureTable(UP, [
    { title: 'cut', runs: [raw('kerf', 1, { cpuSeconds: 0.4 })], phase: ({ run }) => run.up },
  ]).split('\n')
  expect(line).toContain('| 1.50 | 0.4 | 100 |')
})

test('values that were not reached or not measured are shown as a dash', () => {
  const runs = [raw('kerf', 1, { settledAfter: Number.NaN })]
  const [, , line] = figureTable(MOVES, [{ title: 'cut', runs, phase: ({ run }) => run.up }]).split('\n')
  expect(line).toContain('| 0.500 | – | 2.00 |')
  const [, , drift] = figureTable(MOVES, [{ title: 'drift', runs, phase: ({ run }) => run.drifted }]).split('\n')
  expect(drift).toContain('| – | – | – |')
})

test('only the part of the page between the markers is replaced', () => {
  const page = 'a\n<!-- bench:beside x -->\nold\n<!-- /bench:beside x -->\nb\n'
  expect(withPart(page, 'x', 'new')).toBe('a\n<!-- bench:beside x -->\n\nnew\n\n<!-- /bench:beside x -->\nb\n')
  expect(() => withPart(page, 'y', 'new')).toThrow('has no')
})

test('a graph contains its title, and each name once', () => {
  const line = { name: 'kerf', colour: '#000', points: [[0, 0] as const, [2, 10] as const] }
  const svg = linePlot('Pods & nodes', [line, line], { unit: 's', text: String, holds: true })
  expect(svg).toContain('>Pods &amp; nodes</text>')
  expect(svg.split('kerf, 2 runs')).toHaveLength(2)
  // The line has steps: each value holds until the time of the next value.
  expect(svg).toMatch(/d="M64\.0 284\.0H\d+\.\dV\d+\.\dH876\.0"/)
})

test('a line of samples ends with its last sample', () => {
  const line = { name: 'kerf', colour: '#000', points: [[0, 0] as const, [2, 10] as const] }
  const other = { ...line, name: 'upstream', points: [[0, 1] as const, [4, 1] as const] }
  const svg = linePlot('Cores', [line, other], { unit: 'min', text: String, holds: false })
  expect(svg).toMatch(/d="M64\.0 284\.0H\d+\.\dV\d+\.\d"/)
})

test('the labels of a graph do not overlap', () => {
  const named = (name: string) => ({ name, colour: '#000', points: [[0, 0] as const, [2, 10] as const] })
  const svg = linePlot('Cores', [named('a name that is rather long'), named('b')], {
    unit: 's',
    text: String,
    holds: true,
  })
  const [first = 0, second = 0] = [...svg.matchAll(/<text x="(\d+)" y="48">/g)].map(([, x]) => Number(x))
  expect(second - first).toBeGreaterThan('a name that is rather long, 1 run'.length * 7)
})
