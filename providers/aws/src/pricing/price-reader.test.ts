import { VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { firstPrices } from '../tables/first-prices.ts'
import { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { awsPriceBook } from './price-book.ts'
import { pricesOfProducts, regionCurrency } from './price-list.ts'
import { PriceReader } from './price-reader.ts'

const never = new AbortController().signal

const harness = (region = 'us-east-1') => {
  const clock = new VirtualClock()
  const aws = new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' })
  const book = awsPriceBook(clock, { region })
  return { aws, book, reader: new PriceReader({ api: aws, clock, book }, { region }) }
}

test('prices from AWS override the estimate', async () => {
  const { book, reader } = harness()
  expect([book.onDemand('m5.large'), book.sourceOf('m5.large')]).toEqual([
    firstPrices('us-east-1').onDemand.get('m5.large'),
    'estimate',
  ])
  await reader.readOnDemand(never)
  expect(book.onDemand('m5.large')).toBe(0.058)
  expect(['m5.large', 'r5.large', 't2.nano'].map((type) => book.sourceOf(type))).toEqual(['aws', 'aws', 'estimate'])
})

test('the latest spot price of a type in a zone counts; an unreadable one is ignored', async () => {
  const { aws, book, reader } = harness()
  aws.ec2.spotPrices = [
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a', SpotPrice: '0.03', Timestamp: new Date(1) },
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a', SpotPrice: '0.04', Timestamp: new Date(2) },
    { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1b', SpotPrice: 'odd' },
  ]
  await reader.readSpot(never)
  expect(book.spot('m5.large', 'us-east-1a')).toBe(0.04)
  expect(book.spot('m5.large', 'us-east-1b')).toBeUndefined()
  expect(book.spot('r5.large', 'us-east-1a')).toBeUndefined()
})

test('an incomplete answer changes nothing; a failed refresh keeps the prices', async () => {
  const { aws, book, reader } = harness()
  await reader.readOnDemand(never)
  await reader.readSpot(never)
  const before = [book.onDemand('m5.large'), book.spot('m5.large', 'us-east-1a'), book.sequence]
  aws.ec2.types = []
  aws.ec2.spotPrices = []
  await expect(reader.readSpot(never)).rejects.toThrow(/no spot prices for us-east-1/)
  await expect(reader.readOnDemand(never)).rejects.toThrow(/no prices for us-east-1/)
  expect([book.onDemand('m5.large'), book.spot('m5.large', 'us-east-1a'), book.sequence]).toEqual(before)
})

test.each([
  ['us-east-1', false, true],
  ['us-east-1', true, false],
  ['us-gov-west-1', false, false],
  ['cn-north-1', false, true],
])('in %s (isolated: %s) the Pricing API is used: %s', (region, isolated, asked) => {
  expect(harness(region).reader.canReadOnDemand(isolated)).toBe(asked)
})

describe('the price list', () => {
  const product = (unit: string, price: string) =>
    JSON.stringify({
      product: { attributes: { instanceType: 'm5.large' } },
      terms: { OnDemand: { a: { priceDimensions: { b: { pricePerUnit: { [unit]: price } } } } } },
    })
  test('is read in the currency of the region; a zero price is no price', () => {
    expect(pricesOfProducts([product('CNY', '4.2')], regionCurrency('cn-north-1'))).toEqual(
      new Map([['m5.large', 4.2]]),
    )
    expect(
      pricesOfProducts([product('CNY', '4.2'), product('USD', '0'), 'no json', '{}'], regionCurrency('us-east-1')),
    ).toEqual(new Map())
  })
})
