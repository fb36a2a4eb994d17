import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSeries } from './raw-runs.ts'
import { rowsOf, SERIES } from './series.ts'

test('every folder of raw runs is a series, so the tables contain all of them', () => {
  const runs = fileURLToPath(new URL('runs', import.meta.url))
  const folders = readdirSync(runs, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const known = SERIES.map(({ folder }) => folder)
  expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('a series has rows for the parts of its runs, with its title and remark', () => {
  const titles = rowsOf('up', ({ folder }) => folder === 'before-200').map(({ title }) => title)
  expect(titles).toEqual(['200 pods, before, bench of its day'])
  const cut = rowsOf('down', ({ folder }) => folder === 'sources-cut')
  const drift = rowsOf('drifted', ({ folder }) => folder === 'sources-cut')
  expect(cut.map(({ runs }) => runs)).toEqual([readSeries('sources-cut')])
  expect(drift.map(({ title, runs }) => [title, runs.length])).toEqual([
    ['300 pods, all nodes drift, before, from the sources', 2],
  ])
})

test('no two rows of a table have the same title', () => {
  for (const part of ['up', 'down', 'drifted'] as const) {
    const titles = rowsOf(part, ({ when }) => when !== 'between').map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  }
})
