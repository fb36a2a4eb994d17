import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { PriceBook } from './price-book.ts'
import { type PriceTable, parsePriceTable } from './price-table.ts'

const KEPT_AT = Date.parse('2026-01-01T00:00:00Z')
const table = (
  onDemand: Readonly<Record<string, number>>,
  spot: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): PriceTable => parsePriceTable(JSON.stringify({ onDemand, spot, readAt: '2026-01-01T00:00:00Z' }))

const harness = (file?: PriceTable) => {
  const clock = new VirtualClock()
  const estimate = new Map([
    ['small', 0.1],
    ['large', 0.2],
    ['old', 0.05],
  ])
  return { clock, book: new PriceBook(clock, { cloud: 'acme', estimate, ...(file === undefined ? {} : { file }) }) }
}
const spotPrices = (type: string, zones: Readonly<Record<string, number>>) =>
  new Map([[type, new Map(Object.entries(zones))]])

test('without other prices, estimates are used, and spot costs as much as on-demand', () => {
  const { book } = harness()
  expect([book.onDemand('small'), book.spot('small', 'a'), book.sourceOf('small')]).toEqual([0.1, 0.1, 'estimate'])
  expect(book.standing).toEqual({
    onDemand: { source: 'estimate', types: 3 },
    spot: { source: 'estimate', types: 0 },
  })
  expect([book.onDemand('huge'), book.sourceOf('huge'), book.worthKeeping]).toEqual([undefined, undefined, undefined])
})

test('prices from the cloud override those of an earlier run, which override a file, which overrides estimates', () => {
  const { book } = harness(table({ small: 0.3, large: 0.3 }))
  expect(book.onDemand('small')).toBe(0.3)
  book.remember(table({ small: 0.2 }, { small: { a: 0.05 } }))
  expect([book.onDemand('small'), book.onDemand('large'), book.spot('small', 'a')]).toEqual([0.2, 0.3, 0.05])
  expect(book.standing.spot).toEqual({ source: 'last-seen', types: 1, readAt: KEPT_AT })
  book.learnOnDemand(new Map([['small', 0.15]]))
  expect(['small', 'large', 'old'].map((type) => [book.onDemand(type), book.sourceOf(type)])).toEqual([
    [0.15, 'acme'],
    [0.3, 'file'],
    [0.05, 'estimate'],
  ])
})

test('once the cloud has returned spot prices, offerings without one are unavailable', () => {
  const { book } = harness()
  book.remember(table({}, { large: { a: 0.07 } }))
  book.learnSpot(spotPrices('small', { a: 0.04 }))
  expect([book.spot('small', 'a'), book.spot('small', 'b'), book.spot('large', 'a')]).toEqual([
    0.04,
    undefined,
    undefined,
  ])
})

test('a price that is missing in a later response is kept', () => {
  const { book } = harness()
  book.learnOnDemand(new Map([['small', 0.1]]))
  book.learnOnDemand(new Map([['large', 0.4]]))
  book.learnSpot(spotPrices('small', { a: 0.04, b: 0.05 }))
  book.learnSpot(spotPrices('small', { b: 0.06 }))
  expect([book.onDemand('small'), book.onDemand('large')]).toEqual([0.1, 0.4])
  expect([book.spot('small', 'a'), book.spot('small', 'b')]).toEqual([0.04, 0.06])
})

test('ages count from the responses of this run, and every change of prices changes the sequence', async () => {
  const { clock, book } = harness()
  expect(book.age('spot')).toBe(Number.POSITIVE_INFINITY)
  const sequences = [book.sequence]
  book.remember(table({ small: 1 }))
  sequences.push(book.sequence)
  book.learnOnDemand(new Map([['small', 0.1]]))
  sequences.push(book.sequence)
  await clock.advance(5_000)
  book.learnSpot(spotPrices('small', { a: 0.04 }))
  sequences.push(book.sequence)
  expect([book.age('onDemand'), book.age('spot')]).toEqual([5_000, 0])
  expect(new Set(sequences).size).toBe(4)
})

test('the prices to save are the last ones from the cloud, for each kind that it has returned', () => {
  const { clock, book } = harness(table({ file: 1 }))
  book.remember(table({ small: 0.2 }, { small: { a: 0.05 } }))
  expect(book.worthKeeping).toBeUndefined()
  book.learnOnDemand(new Map([['large', 0.4]]))
  expect(book.worthKeeping).toEqual({
    onDemand: new Map([['large', 0.4]]),
    spot: spotPrices('small', { a: 0.05 }),
    readAt: clock.now(),
  })
})

test('the listing contains each type and zone with a price, in order', () => {
  const { book } = harness(table({ tiny: 0.01 }))
  book.remember(table({}, { small: { b: 0.05, a: 0.04 } }))
  expect(book.listing().map(({ type, onDemand, spot }) => [type, onDemand?.source, ...spot.keys()])).toEqual([
    ['large', 'estimate'],
    ['old', 'estimate'],
    ['small', 'estimate', 'a', 'b'],
    ['tiny', 'file'],
  ])
})
