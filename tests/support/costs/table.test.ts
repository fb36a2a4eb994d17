import { expect, test } from 'vitest'
import type { FileCost } from './record.ts'
import { costSummary } from './summary.ts'
import { type CostRow, CostTable, costRows, mergedRows, tableText } from './table.ts'

const cost = (file: string, rest: Partial<FileCost> = {}): FileCost => ({
  file,
  wallSeconds: 10,
  ownSeconds: 2.004,
  childSeconds: 1,
  clusterSeconds: 0,
  ...rest,
})
const report = (file: string, ...names: readonly string[]) => ({
  file,
  assertionResults: names.map((name) => ({ name: `${file} > ${name}`, status: 'passed' })),
})
const rowsOf = (...costs: readonly FileCost[]) =>
  costRows(
    costs,
    costs.map(({ file }) => report(file, `first of ${file}`, 'second')),
    (file) => (file.startsWith('tests/integration/') ? ['cluster'] : []),
    [
      { bug: 'a', by: ['packages/engine/a.test.ts'] },
      { bug: 'b', by: ['packages/engine/a.test.ts', 'tests/integration/b.test.ts'] },
    ],
  )

const covered = rowsOf(
  cost('packages/engine/a.test.ts', {
    covered: { 'packages/engine/src/x.ts': [1, 9], 'providers/acme/src/y.ts': [3] },
  }),
  cost('tests/integration/b.test.ts', { clusterSeconds: 5, covered: { 'packages/engine/src/x.ts': [1] } }),
)

test('a row contains costs, needed tools, coverage, and caught bugs', () => {
  expect(covered).toEqual([
    {
      name: 'b.test.ts: first of tests/integration/b.test.ts',
      file: 'tests/integration/b.test.ts',
      tests: 2,
      wallSeconds: 10,
      ownSeconds: 2,
      childSeconds: 1,
      clusterSeconds: 5,
      needs: ['cluster'],
      covers: { 'packages/engine': 1 },
      coversAlone: 0,
      caught: 1,
      caughtAlone: 0,
    },
    {
      name: 'a.test.ts: first of packages/engine/a.test.ts',
      file: 'packages/engine/a.test.ts',
      tests: 2,
      wallSeconds: 10,
      ownSeconds: 2,
      childSeconds: 1,
      clusterSeconds: 0,
      needs: [],
      covers: { 'packages/engine': 1, 'providers/acme': 1 },
      coversAlone: 1,
      caught: 2,
      caughtAlone: 1,
    },
  ])
  expect(tableText(covered).split('\n')).toHaveLength(5)
  expect(JSON.parse(tableText(covered))).toEqual(covered)
})

test('finds the row of a file after the file was moved or renamed', () => {
  const table = new CostTable(covered)
  expect(table.row('packages/engine/a.test.ts', () => '')?.file).toBe('packages/engine/a.test.ts')
  expect(table.row('elsewhere/a.test.ts', () => '')?.file).toBe('packages/engine/a.test.ts')
  expect(table.row('new/name.test.ts', () => "test('first of packages/engine/a.test.ts', () => …)")?.file).toBe(
    'packages/engine/a.test.ts',
  )
  expect(table.row('new/other.test.ts', () => "test('something else', () => …)")).toBeUndefined()
})

test('a new run replaces the rows that it measured, keeps the others, and removes rows of deleted files', () => {
  const renewed = rowsOf(cost('packages/engine/a.test.ts', { ownSeconds: 9 }))
  const merged = mergedRows(covered, renewed, () => true)
  expect(merged.map(({ file, ownSeconds, coversAlone }) => [file, ownSeconds, coversAlone])).toEqual([
    ['packages/engine/a.test.ts', 9, 1],
    ['tests/integration/b.test.ts', 2, 0],
  ])
  expect(
    mergedRows(covered, renewed, (file) => file !== 'tests/integration/b.test.ts').map(({ file }) => file),
  ).toEqual(['packages/engine/a.test.ts'])
  const withCoverage = rowsOf(
    cost('packages/engine/a.test.ts', { ownSeconds: 20, covered: { 'packages/runtime/src/z.ts': [1] } }),
  )
  expect(mergedRows(covered, withCoverage, () => true, true)).toContainEqual(
    expect.objectContaining({ file: 'packages/engine/a.test.ts', ownSeconds: 2, covers: { 'packages/runtime': 1 } }),
  )
})

test('the summary adds up files, tests and seconds by ring and level', () => {
  const rows: readonly CostRow[] = [...covered, ...rowsOf(cost('sim/c.test.ts'))]
  expect(
    costSummary(rows, (file) => (file.startsWith('tests/integration/') ? 'nightly' : 'npm test')).split('\n'),
  ).toEqual([
    '| ring | level | files | tests | processor seconds | wall seconds, one after the other | bugs caught | caught alone |',
    '|---|---|---|---|---|---|---|---|',
    '| nightly | cluster | 1 | 2 | 8 | 10 | 1 | 0 |',
    '| nightly | all | 1 | 2 | 8 | 10 | 1 | 0 |',
    '| npm test | Node, stories and simulation | 1 | 2 | 3 | 10 | 0 | 0 |',
    '| npm test | Node, unit | 1 | 2 | 3 | 10 | 2 | 1 |',
    '| npm test | all | 2 | 4 | 6 | 20 | 2 | 1 |',
    '',
  ])
})
