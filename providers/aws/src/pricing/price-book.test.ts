import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { PriceBook } from './price-book.ts'
import { currencyOf, pricesOfProducts } from './price-list.ts'
import { PriceMemory } from './price-memory.ts'
import { formatPriceTable, type PriceTable, parsePriceTable } from './price-table.ts'

const never = new AbortController().signal

const world = (options: { readonly region?: string; readonly file?: PriceTable } = {}) => {
  const clock = new VirtualClock()
  const aws = new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' })
  const { region = 'us-east-1', file } = options
  return { clock, aws, book: new PriceBook({ api: aws, clock }, { region, ...(file === undefined ? {} : { file }) }) }
}
const table = (
  onDemand: Readonly<Record<string, number>>,
  spot: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): PriceTable => parsePriceTable(JSON.stringify({ onDemand, spot, readAt: '2026-01-01T00:00:00Z' }))

test('before anything is known prices are an estimate, and spot costs as much as on demand', () => {
  const { book } = world()
  expect(book.onDemand('m5.large')).toBe(0.096)
  expect(book.spot('m5.large', 'us-east-1a')).toBe(0.096)
  expect(book.sourceOf('m5.large')).toBe('estimate')
  expect(book.standing.onDemand.source).toBe('estimate')
  expect(book.onDemand('z9.huge')).toBeUndefined()
})

test('AWS counts more than what it said earlier, that more than a file, and that more than an estimate', async () => {
  const { book } = world({ file: table({ 'm5.large': 0.3, 'r5.large': 0.3 }) })
  expect(book.onDemand('m5.large')).toBe(0.3)
  book.remember(table({ 'm5.large': 0.2 }, { 'm5.large': { 'us-east-1a': 0.05 } }))
  expect(book.onDemand('m5.large')).toBe(0.2)
  expect(book.onDemand('r5.large')).toBe(0.3)
  expect(book.spot('m5.large', 'us-east-1a')).toBe(0.05)
  expect(book.standing.spot).toMatchObject({ source: 'last-seen', readAt: Date.parse('2026-01-01T00:00:00Z') })
  await book.readOnDemand(never)
  expect(book.onDemand('m5.large')).toBe(0.058)
  expect(['m5.large', 'r5.large', 't2.nano'].map((type) => book.sourceOf(type))).toEqual(['aws', 'aws', 'estimate'])
})

test('once AWS has told spot prices, what it does not name cannot be bought', async () => {
  const { aws, book } = world()
  aws.ec2.spotPrices = [
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a', SpotPrice: '0.03', Timestamp: new Date(1) },
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a', SpotPrice: '0.04', Timestamp: new Date(2) },
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1b', SpotPrice: 'odd' },
  ]
  await book.readSpot(never)
  expect(book.spot('m5.large', 'us-east-1a')).toBe(0.04)
  expect(book.spot('m5.large', 'us-east-1b')).toBeUndefined()
  expect(book.spot('r5.large', 'us-east-1a')).toBeUndefined()
})

test('an answer that is not whole changes nothing; a failing refresh keeps what there is', async () => {
  const { aws, book } = world()
  await book.readOnDemand(never)
  await book.readSpot(never)
  const before = [book.onDemand('m5.large'), book.spot('m5.large', 'us-east-1a'), book.sequence]
  aws.ec2.types = []
  aws.ec2.spotPrices = []
  await expect(book.readSpot(never)).rejects.toThrow(/no spot prices of us-east-1/)
  await expect(book.readOnDemand(never)).rejects.toThrow(/no prices of us-east-1/)
  expect([book.onDemand('m5.large'), book.spot('m5.large', 'us-east-1a'), book.sequence]).toEqual(before)
})

test.each([
  ['us-east-1', false, true],
  ['us-east-1', true, false],
  ['us-gov-west-1', false, false],
  ['cn-north-1', false, true],
])('in %s (isolated: %s) the Pricing API is asked: %s', (region, isolated, asked) => {
  expect(world({ region }).book.canReadOnDemand(isolated)).toBe(asked)
})

describe('the price list', () => {
  const product = (unit: string, price: string) =>
    JSON.stringify({
      product: { attributes: { instanceType: 'm5.large' } },
      terms: { OnDemand: { a: { priceDimensions: { b: { pricePerUnit: { [unit]: price } } } } } },
    })
  test('is read in the currency of the region; nothing costs nothing', () => {
    expect(pricesOfProducts([product('CNY', '4.2')], currencyOf('cn-north-1'))).toEqual(new Map([['m5.large', 4.2]]))
    expect(
      pricesOfProducts([product('CNY', '4.2'), product('USD', '0'), 'no json', '{}'], currencyOf('us-east-1')),
    ).toEqual(new Map())
  })
})

describe('a table of prices', () => {
  test('reads what it writes', () => {
    const given = table({ b: 2, a: 1 }, { b: { z: 0.2, y: 0.1 } })
    expect(parsePriceTable(formatPriceTable(given))).toEqual(given)
  })
  test.each([
    ['no json', 'it is not JSON'],
    ['[]', 'it is not an object'],
    ['{"onDemand": {"a": 0}}', 'onDemand["a"] is not a number above 0'],
    ['{"spot": {"a": {"z": "1"}}}', 'spot["a"]["z"] is not a number above 0'],
    ['{"on-demand": {}}', 'it has a field "on-demand", which means nothing'],
  ])('%s: %s', (text, problem) => {
    expect(() => parsePriceTable(text)).toThrow(problem)
  })
})

test('prices outlive a restart in a ConfigMap, by region', async () => {
  const clock = new VirtualClock()
  const { client } = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false, scheduler: false })
  const memory = (region: string) => new PriceMemory(client, { namespace: 'kube-system', region })
  expect(await memory('us-east-1').load(never)).toBeUndefined()
  const [here, there] = [table({ a: 1 }), table({ b: 2 })]
  await memory('us-east-1').save(here, never)
  await memory('eu-west-1').save(there, never)
  await memory('us-east-1').save(table({ a: 3 }), never)
  expect(await memory('us-east-1').load(never)).toEqual(table({ a: 3 }))
  expect(await memory('eu-west-1').load(never)).toEqual(there)
})
