import { MOST_DECLARED_PRICES, ProblemError } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type PriceBookSpec, parsePriceDocument } from './price-document.ts'

// docs/spec/policies.md#price-book

const now = Date.parse('2026-11-30T12:00:00Z')
const inDollars: PriceBookSpec = { configMap: { name: 'kerf-prices', key: 'prices.yaml' } }
const inEuro: PriceBookSpec = { ...inDollars, currency: { code: 'EUR', usd: '1.08', date: '2026-11-01' } }

const parse = (text: string, spec = inDollars) => parsePriceDocument(text, spec, now)

const head = 'unit: USD/hour\nasOf: 2026-11-30\n'

test('prices have their own capacity type, zone and day, or the defaults', () => {
  const text = `${head}prices:
- {instanceType: a, price: 0.5}
- {instanceType: a, capacityType: spot, zone: z1, price: "0.25", asOf: 2026-11-01}`
  expect(parse(text)).toEqual([
    { instanceType: 'a', capacityType: 'on-demand', price: 0.5, asOf: Date.parse('2026-11-30') },
    { instanceType: 'a', capacityType: 'spot', zone: 'z1', price: 0.25, asOf: Date.parse('2026-11-01') },
  ])
})

test('another currency is converted at the stated rate', () => {
  const text = 'unit: EUR/hour\nasOf: 2026-11-30\nprices: [{instanceType: a, price: 0.1}]'
  expect(parse(text, inEuro)[0]?.price).toBe(0.108)
})

const entries = (count: number): string =>
  Array.from({ length: count }, (_, index) => `{instanceType: t${index}, price: 1}`).join(', ')

describe('refused as a whole:', () => {
  test.each([
    [
      'a price of 0',
      `${head}prices: [{instanceType: a, price: 0}]`,
      'prices[0]: price must be a number above 0, found 0',
    ],
    ['a negative price', `${head}prices: [{instanceType: a, price: -1}]`, 'found -1'],
    ['a price with a currency', `${head}prices: [{instanceType: a, price: $1}]`, 'found "$1"'],
    ['no price', `${head}prices: [{instanceType: a}]`, 'found nothing'],
    ['an infinite price', `${head}prices: [{instanceType: a, price: .inf}]`, 'price must be a number above 0'],
    [
      'a monthly price',
      'unit: USD/month\nasOf: 2026-11-30\nprices: [{instanceType: a, price: 72}]',
      'unit must be "USD/hour", found "USD/month"',
    ],
    [
      'another currency',
      'unit: EUR/hour\nasOf: 2026-11-30\nprices: [{instanceType: a, price: 72}]',
      'in the currency of spec.priceBook.currency',
    ],
    ['no unit', 'asOf: 2026-11-30\nprices: [{instanceType: a, price: 72}]', 'found nothing'],
    ['no day', 'unit: USD/hour\nprices: [{instanceType: a, price: 72}]', 'prices[0]: asOf must be a date'],
    [
      'a day in the future',
      'unit: USD/hour\nasOf: 2027-11-30\nprices: [{instanceType: a, price: 72}]',
      'asOf is in the future: 2027-11-30',
    ],
    [
      'a day that does not exist',
      'unit: USD/hour\nasOf: "2026-02-30"\nprices: [{instanceType: a, price: 72}]',
      'asOf must be a date',
    ],
    [
      'a wildcard',
      `${head}prices: [{instanceType: "m5.*", price: 1}]`,
      'must be a name without wildcards, found "m5.*"',
    ],
    [
      'another capacity type',
      `${head}prices: [{instanceType: a, capacityType: reserved, price: 1}]`,
      'capacityType must be "on-demand" or "spot"',
    ],
    [
      'two prices of one offering',
      `${head}prices: [{instanceType: a, price: 1}, {instanceType: a, capacityType: on-demand, price: 2}]`,
      'prices[1]: a on-demand has a second price',
    ],
    [
      'an unknown field',
      `${head}prices: [{instanceType: a, price: 1, region: x}]`,
      'prices[0]: unknown field "region"',
    ],
    [
      'an unknown field of the document',
      `${head}currency: EUR\nprices: [{instanceType: a, price: 1}]`,
      'unknown field "currency"',
    ],
    ['no list', `${head}prices: {a: 1}`, 'prices must be a list'],
    ['an empty list', `${head}prices: []`, 'at least one price'],
    ['no object', '- a', 'it must be an object'],
    ['no YAML', 'a: b: c', 'it is not YAML'],
    ['too many prices', `${head}prices: [${entries(MOST_DECLARED_PRICES + 1)}]`, 'at most 2000 are possible'],
  ])('%s', (_name, text, message) => {
    expect(() => parse(text)).toThrow(ProblemError)
    expect(() => parse(text)).toThrow(message)
  })
})

test.each([
  ['2026-12-02', 'spec.priceBook.currency.date is in the future: 2026-12-02'],
  ['2026-12-01', undefined],
])('an exchange rate of %s', (date, problem) => {
  const text = 'unit: EUR/hour\nasOf: 2026-11-30\nprices: [{instanceType: a, price: 1}]'
  const read = () => parse(text, { ...inEuro, currency: { code: 'EUR', usd: '1.08', date } })
  if (problem === undefined) expect(read()).toHaveLength(1)
  else expect(read).toThrow(problem)
})

test('the largest price book is accepted', () => {
  expect(parse(`${head}prices: [${entries(MOST_DECLARED_PRICES)}]`)).toHaveLength(MOST_DECLARED_PRICES)
})
