import { labels } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { gcpVocabulary } from '../labels.ts'
import { offlineRegions, regionOfObjects } from '../regions.ts'
import { pricedRegions } from '../tables/known-prices.ts'
import { knownTypes } from '../tables/known-types.ts'
import { gceNodeClass } from '../testing/gce-node-class.ts'
import { regionOffer } from './region-offer.ts'

test.each(['europe-west1', 'us-central1', 'africa-south1'])(
  '%s sells types with every well-known label, and prices',
  (region) => {
    const types = regionOffer(region).types()
    expect(types.length).toBeGreaterThan(150)
    expect(new Set(types.map(({ name }) => name)).size).toBe(types.length)
    for (const { requirements, offerings } of types) {
      const keys = new Set(requirements.map(({ key }) => key))
      expect(gcpVocabulary.wellKnown.filter((label) => !keys.has(label))).toEqual([])
      expect(keys.size).toBe(requirements.length)
      for (const { price } of offerings) expect(price).toBeGreaterThan(0)
    }
  },
)

test('prices and zones are those of the tables', () => {
  const regionPrice = (region: string, name: string) => {
    const type = regionOffer(region)
      .types()
      .find((each) => each.name === name)
    return type?.offerings.map((offering) => {
      const { capacityType, zone } = offeringCoordinates(type, offering)
      return [zone, capacityType, offering.price]
    })
  }
  expect(regionPrice('europe-west1', 'n2-standard-4')?.slice(0, 2)).toEqual([
    ['europe-west1-b', 'on-demand', 0.213668],
    ['europe-west1-b', 'spot', 0.046888],
  ])
  // GPUs of this type are in two of the four zones only.
  expect(new Set(regionPrice('europe-west4', 'a2-highgpu-1g')?.map(([zone]) => zone))).toEqual(
    new Set(['europe-west4-a', 'europe-west4-b']),
  )
})

test('49 types have no price in any region', () => {
  const sold = new Set(
    offlineRegions.flatMap((region) =>
      regionOffer(region)
        .types()
        .map(({ name }) => name),
    ),
  )
  const unsold = [...knownTypes.keys()].filter((name) => !sold.has(name))
  expect(knownTypes.size).toBe(568)
  expect(unsold).toHaveLength(49)
  expect(unsold).toContain('h4d-standard-192')
})

test('a class affects the types, and a class with invalid values has none', () => {
  const offer = regionOffer('europe-west1')
  const spec = { kubeletConfiguration: { maxPods: 32 }, disks: [{ boot: true, category: 'pd-standard' }] } as const
  const { types, problems, notLookedAt } = offer.forNodeClass(gceNodeClass('a', { spec }))
  expect(problems).toEqual([])
  expect(notLookedAt.join()).toContain('quotas')
  expect(types.length).toBeLessThan(offer.types().length)
  expect(new Set(types.map(({ capacity }) => capacity['pods']))).toEqual(new Set([32_000_000_000n]))
  const invalid = offer.forNodeClass(gceNodeClass('a', { spec: { labels: { Team: 'a' } } }))
  expect(invalid.types).toEqual([])
  expect(invalid.problems.join()).toContain('spec.labels')
})

test('a region without prices is rejected', () => {
  expect(() => regionOffer('atlantis1')).toThrow('there are no prices of the region atlantis1')
})

test('the region comes from the nodes, otherwise from the subnetwork of the class', () => {
  expect(offlineRegions).toEqual(pricedRegions)
  const zonal = node('a', { labels: { [labels.zone]: 'europe-west4-b' } })
  const subnetwork = 'projects/demo/regions/us-east4/subnetworks/nodes'
  const nodeClass = gceNodeClass('a', { spec: { networkConfig: { subnetwork } } })
  expect(regionOfObjects([nodeClass, zonal])).toMatchObject({ region: 'europe-west4', saidBy: 'Node a' })
  expect(regionOfObjects([nodeClass])).toMatchObject({ region: 'us-east4', saidBy: 'GCENodeClass a' })
  expect(regionOfObjects([gceNodeClass('a')])).toBeUndefined()
})
