import { labels } from '@kerf/apis'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'
import { ecsNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import { offlineRegions, regionIn, regionOfObjects } from '../regions.ts'
import { knownRegions } from '../tables/known-types.ts'
import { priceFileOffer, regionOffer } from './region-offer.ts'

const { example } = ecsNodeClassDescriptor

test('the list of regions equals that of the tables', () => {
  expect(offlineRegions).toEqual(knownRegions)
})

test('a region is found in the names of its zones', () => {
  const texts = [
    'cn-hangzhou',
    'cn-hangzhou-b',
    'cn-wuhan-lr',
    'cn-wuhan-lr-a',
    'us-east-1',
    'us-east-1a',
    'us-east-9a',
    'b',
  ]
  expect(texts.map(regionIn)).toEqual([
    ...['cn-hangzhou', 'cn-hangzhou', 'cn-wuhan-lr', 'cn-wuhan-lr', 'us-east-1', 'us-east-1', undefined, undefined],
  ])
})

test('the region of a cluster comes from its nodes, because the IDs in a class do not contain it', () => {
  expect(regionOfObjects([example])).toBeUndefined()
  expect(regionOfObjects([example, node('a', { labels: { [labels.zone]: 'us-east-1a' } })])).toMatchObject({
    region: 'us-east-1',
    saidBy: 'Node a',
  })
})

describe('the offline instance types of a region', () => {
  test('a type has an on-demand offering in every zone of its region, and none for spot', () => {
    const [type] = regionOffer('eu-west-1').types()
    const zones = type?.offerings.map(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values)
    expect(zones).toEqual([['eu-west-1a'], ['eu-west-1b']])
  })

  test('the zones are those of the class, and the unknowable facts are listed', () => {
    const nodeClass: ECSNodeClass = {
      ...example,
      status: { vSwitches: [{ id: 'vsw-1', zoneID: 'cn-hangzhou-h' }] },
    }
    const offer = regionOffer('cn-hangzhou')
    const { types, notLookedAt } = offer.forNodeClass(nodeClass)
    expect(new Set(types.map(({ offerings }) => offerings.length))).toEqual(new Set([1]))
    expect(notLookedAt.join()).toContain('spot prices')
    expect(notLookedAt.join()).not.toContain('vSwitches')
    expect(offer.forNodeClass(example).notLookedAt.join()).toContain('the vSwitches of ECSNodeClass default')
  })

  test('a region without prices is refused', () => {
    expect(() => regionOffer('mars-1')).toThrow('no prices of the region mars-1')
  })
})

describe('a price file', () => {
  const document = {
    kind: 'ECSPrices',
    region: 'cn-hangzhou',
    cnyPerUsd: 8,
    onDemand: { 'ecs.g7.large': 4 },
    spot: { 'ecs.g7.large': { 'cn-hangzhou-h': 0.8 } },
  }
  const filePrices = (file: object) =>
    priceFileOffer(file)
      ?.types()
      .find(({ name }) => name === 'ecs.g7.large')
      ?.offerings.map(({ price }) => price)
      .toSorted()

  test('overrides prices and the exchange rate, and adds spot', () => {
    expect(filePrices(document)?.slice(0, 2)).toEqual([0.1, 0.5])
    expect(filePrices({ ...document, currency: 'USD' })?.slice(0, 2)).toEqual([0.8, 4])
    const rate = priceFileOffer({ kind: 'ECSPrices', cnyPerUsd: 1 })
    expect(rate?.region).toBe('cn-hangzhou')
    expect(rate?.priceNote).toContain('converted at 1 CNY to the dollar;')
  })

  test('any other document is ignored, and an invalid price file is refused', () => {
    expect([priceFileOffer({ kind: 'OtherPrices' }), priceFileOffer([])]).toEqual([undefined, undefined])
    expect(() => priceFileOffer({ ...document, cnyPerUsd: 0 })).toThrow('cnyPerUsd must be a number above 0')
    expect(() => priceFileOffer({ ...document, currency: 'EUR' })).toThrow('currency must be "CNY" or "USD"')
    expect(() => priceFileOffer({ ...document, region: 1 })).toThrow('region must be the ID of a region')
    expect(() => priceFileOffer({ ...document, onDemand: { a: 0 } })).toThrow('is not a number above 0')
    expect(() => priceFileOffer({ ...document, other: 1 })).toThrow('"other"')
  })
})
