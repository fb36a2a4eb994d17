import { labels, toQuantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { expect, test } from 'vitest'
import { DeclaredPrices, declaredPrices } from './declared-prices.ts'

// docs/spec/policies.md#price-book

const type = (name: string): InstanceType => ({
  name,
  requirements: [],
  offerings: ['on-demand', 'spot', 'reserved'].flatMap((capacityType) =>
    ['a', 'b'].map((zone) => ({
      requirements: [
        { key: labels.capacityType, operator: 'In' as const, values: [capacityType] },
        { key: labels.zone, operator: 'In' as const, values: [zone] },
      ],
      price: capacityType === 'spot' ? undefined : 1,
      available: zone === 'a',
    })),
  ),
  capacity: { cpu: toQuantity(1) },
  overhead: {},
})

const large = type('large')
const small = type('small')
const types = [large, small]
const asOf = 0

const withPrices = (...prices: Parameters<DeclaredPrices['replace']>[0]): DeclaredPrices => {
  const declared = new DeclaredPrices()
  declared.replace(prices)
  return declared
}

test('a price for the zone takes precedence over a price for every zone; other offerings keep their price', () => {
  const declared = withPrices(
    { instanceType: 'large', capacityType: 'on-demand', price: 3, asOf },
    { instanceType: 'large', capacityType: 'on-demand', zone: 'b', price: 4, asOf },
    { instanceType: 'large', capacityType: 'spot', zone: 'b', price: 2, asOf },
  )
  const [changed, same] = declared.apply(types)
  expect(changed?.offerings.map(({ price, available }) => [price, available])).toEqual([
    [3, true],
    [4, false],
    [undefined, true],
    [2, false],
    [1, true],
    [1, false],
  ])
  expect(changed?.offerings.map(({ priceOverlayApplied }) => priceOverlayApplied === true)).toEqual([
    ...[true, true, false, true, false, false],
  ])
  expect(same).toBe(small)
})

test('the list stays the same object while nothing changes', () => {
  const declared = withPrices({ instanceType: 'large', capacityType: 'on-demand', price: 3, asOf })
  const first = declared.apply(types)
  expect(declared.apply(types)).toBe(first)
  expect(declared.apply(first)).toBe(first)
  const { version } = declared
  declared.replace([{ instanceType: 'large', capacityType: 'on-demand', price: 5, asOf }])
  expect(declared.version).not.toBe(version)
  expect(declared.apply(types)[0]?.offerings[0]?.price).toBe(5)
  expect(withPrices().apply(types)).toBe(types)
  expect(withPrices({ instanceType: 'other', capacityType: 'spot', price: 1, asOf }).apply(types)).toBe(types)
})

test('controllers and providers of a process share the prices', () => {
  const [informers, others] = [{}, {}]
  expect(declaredPrices(informers)).toBe(declaredPrices(informers))
  expect(declaredPrices(others)).not.toBe(declaredPrices(informers))
})

// docs/spec/policies.md#discounts
test('a discount lowers prices of the cloud once, and does not change declared prices', () => {
  const declared = withPrices({ instanceType: 'large', capacityType: 'on-demand', zone: 'b', price: 4, asOf })
  declared.replaceDiscounts([
    { factor: 0.5, instanceTypes: ['lar*'], capacityTypes: ['on-demand', 'spot'] },
    { factor: 0.1, capacityTypes: ['on-demand'] },
  ])
  const once = declared.apply(types)
  const prices = (list: readonly InstanceType[]) => list.map(({ offerings }) => offerings.map(({ price }) => price))
  expect(prices(once)).toEqual([
    [0.5, 4, undefined, undefined, 1, 1],
    [0.1, 0.1, undefined, undefined, 1, 1],
  ])
  // Both the provider and the controllers apply the prices, so a second application must change nothing.
  expect(declared.apply(once)).toBe(once)
  expect(prices(declared.apply([...once]))).toEqual(prices(once))
  const { version } = declared
  declared.replaceDiscounts([])
  expect(declared.version).not.toBe(version)
  expect(prices(declared.apply(types))[1]).toEqual(prices(types)[1])
})
