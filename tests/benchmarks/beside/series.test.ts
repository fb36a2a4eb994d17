import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nextPair, readSeries, saveRun } from './raw-runs.ts'
import { SERIES, seriesRows } from './series.ts'

test('every file of raw runs is a listed series and contains runs, so the tables are complete', () => {
  const runs = fileURLToPath(new URL('runs', import.meta.url))
  const files = readdirSync(runs).filter((name) => name !== 'README.md')
  expect(files.toSorted()).toEqual(SERIES.map(({ folder }) => `${folder}.json.gz`).toSorted())
  for (const { folder } of SERIES) expect(readSeries(folder).length, folder).toBeGreaterThan(0)
})

test('a saved run is added to its series, ordered by pair', () => {
  const root = mkdtempSync(join(tmpdir(), 'kerf-series-'))
  const [first] = readSeries('cut')
  if (first === undefined) throw new Error('the series has runs')
  for (const pair of [2, 1]) saveRun('mine', { ...first, pair }, root)
  expect(readSeries('mine', root)).toEqual([
    { ...first, pair: 1 },
    { ...first, pair: 2 },
  ])
  expect(nextPair('mine', root)).toBe(3)
  rmSync(root, { recursive: true })
})

test('a series has a row for each part of its runs, with the part’s title and the series’ remark', () => {
  const titles = seriesRows('up', ({ folder }) => folder === 'before-200').map(({ title }) => title)
  expect(titles).toEqual(['200 pods, before, earlier benchmark'])
  const cut = seriesRows('down', ({ folder }) => folder === 'sources-cut')
  const drift = seriesRows('drifted', ({ folder }) => folder === 'sources-cut')
  expect(cut.map(({ runs }) => runs)).toEqual([readSeries('sources-cut')])
  expect(drift.map(({ title, runs }) => [title, runs.length])).toEqual([
    ['300 pods, all nodes drift, before, from the sources', 2],
  ])
})

test('no two rows of a table have the same title', () => {
  for (const part of ['up', 'down', 'drifted'] as const) {
    const titles = seriesRows(part, ({ when }) => when !== 'between').map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  }
})
