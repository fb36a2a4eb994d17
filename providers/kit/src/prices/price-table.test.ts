import { expect, test } from 'vitest'
import { formatPriceTable, parsePriceTable } from './price-table.ts'

test('parses its own output', () => {
  const text = '{"onDemand":{"a":1,"b":2},"spot":{"b":{"y":0.1,"z":0.2}},"readAt":"2026-01-01T00:00:00.000Z"}'
  expect(formatPriceTable(parsePriceTable(text))).toBe(text)
})

test('the output does not depend on the order of the prices', () => {
  const text = '{"spot":{"c":{"z":3,"y":2},"a":{"y":1}},"onDemand":{"b":2,"c":3,"a":1}}'
  expect(formatPriceTable(parsePriceTable(text))).toBe(
    '{"onDemand":{"a":1,"b":2,"c":3},"spot":{"a":{"y":1},"c":{"y":2,"z":3}}}',
  )
})

test.each([
  ['no json', 'it is not JSON'],
  ['[]', 'it is not an object'],
  ['{"onDemand": {"a": 0}}', 'onDemand["a"] is not a number above 0'],
  ['{"spot": {"a": {"z": "1"}}}', 'spot["a"]["z"] is not a number above 0'],
  ['{"on-demand": {}}', 'unknown field "on-demand"'],
])('%s: %s', (text, problem) => {
  expect(() => parsePriceTable(text)).toThrow(problem)
})
