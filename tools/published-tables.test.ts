import { expect, test } from 'vitest'
import { type Correction, correctedTable, PublishedTables } from './published-tables.ts'

const table = 'us-1 a small=0.1 large=0.2\nus-1 b small=0.3\nus-2 a small=0.1'
const correction = (line: string, fact: string, value: number): Correction => ({
  table: 'prices',
  line,
  fact,
  value,
  reason: 'the bill',
})

test('corrects one value and leaves the others unchanged', () => {
  expect(correctedTable(table, [correction('us-1 a', 'large', 0.25), correction('us-1 b', 'small', 0.4)])).toBe(
    'us-1 a small=0.1 large=0.25\nus-1 b small=0.4\nus-2 a small=0.1',
  )
})

test.each([
  ['an unknown line', correction('us-3 a', 'small', 1), 'prices, us-3 a small: the published table has no such value'],
  ['an unknown fact', correction('us-1 b', 'large', 1), 'has no such value'],
  ['the published value', correction('us-1 a', 'large', 0.2), 'the published value is 0.2 too; remove the correction'],
])('refuses a correction with %s', (_what, wrong, message) => {
  expect(() => correctedTable(table, [wrong])).toThrow(message)
})

test('refuses a correction of a table that does not exist', () => {
  expect(() => new PublishedTables(new URL('./nowhere/', import.meta.url), [correction('a', 'b', 1)])).toThrow(
    'correction of prices: there is no such published table',
  )
})
