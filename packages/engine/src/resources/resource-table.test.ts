import { parseQuantity } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { ResourceTable } from './resource-table.ts'

const amount = (text: string): bigint => parseQuantity(text)

/** Returns whether a request fits an available amount, in a table that is built from both amounts and from the other requests. */
const fits = (resource: string, asked: string, available: string, others: readonly string[] = []): boolean => {
  const table = new ResourceTable(new Map([[resource, new Set([asked, available, ...others].map(amount))]]))
  const [wanted = 0] = table.requestRow([[resource, amount(asked)]])
  const [there = 0] = table.availableRow([[resource, amount(available)]])
  return wanted <= there
}

describe('other requests do not change the result', () => {
  const HOSTILE = ['1n', '1u', '7n', '999999', '1e18', '7Ei', '9223372036854775807']
  test.each([
    ['cpu', '100m', '100m', '99m'],
    ['cpu', '3', '3900m', '2999m'],
    ['memory', '128974848', '123Mi', '128974847'],
    ['memory', '20Ti', '20Ti', '20Gi'],
    ['pods', '1', '110', '0'],
    ['example.com/length', '3', '3', '2'],
  ])('%s', (resource, asked, enough, tooLittle) => {
    for (const hostile of [[], ...HOSTILE.map((text) => [text]), HOSTILE]) {
      expect(fits(resource, asked, enough, hostile)).toBe(true)
      expect(fits(resource, asked, tooLittle, hostile)).toBe(false)
    }
  })
})

describe('an amount that is too large to count', () => {
  test.each(['cpu', 'memory'])('of %s never fits, not even the same amount', (resource) => {
    expect(fits(resource, '7Ei', '7Ei', ['1n'])).toBe(false)
    expect(fits(resource, '7Ei', '1', ['1n'])).toBe(false)
  })

  test('a negative amount is not rounded to 0', () => {
    const table = new ResourceTable(new Map([['cpu', new Set([amount('1'), -amount('7Ei')])]]))
    expect(table.availableRow([['cpu', -amount('7Ei')]])[0]).toBeLessThan(0)
    expect(table.isExact).toBe(false)
  })

  test('requests below the smallest unit of kube-scheduler are rounded up', () => {
    expect(fits('cpu', '1n', '0', ['1'])).toBe(false)
    expect(fits('cpu', '1n', '1m', ['1'])).toBe(true)
    expect(fits('memory', '1m', '1', ['1'])).toBe(true)
  })
})
