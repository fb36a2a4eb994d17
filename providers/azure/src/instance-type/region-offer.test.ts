import { labels } from '@kerf/apis'
import { singleValue } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { azureWellKnownLabels } from '../label-names.ts'
import { locationOfObjects, offlineLocations } from '../regions.ts'
import { aksNodeClass } from '../testing/aks-node-class.ts'
import { regionOffer } from './region-offer.ts'

test.each(['westeurope', 'eastus', 'qatarcentral'])(
  '%s sells types with every well-known label, and prices',
  (location) => {
    const types = regionOffer(location).types()
    expect(types.length).toBeGreaterThan(200)
    expect(new Set(types.map(({ name }) => name)).size).toBe(types.length)
    for (const { requirements, offerings } of types) {
      const keys = new Set(requirements.map(({ key }) => key))
      expect(azureWellKnownLabels.filter((label) => !keys.has(label))).toEqual([])
      for (const { price } of offerings) expect(price).toBeGreaterThan(0)
    }
  },
)

test('a class changes the number of pods, the disk and the available types', () => {
  const offer = regionOffer('westeurope')
  const spec = { maxPods: 40, osDiskSizeGB: 64, artifactStreaming: { enabled: true } }
  const { types, notLookedAt } = offer.forNodeClass(aksNodeClass('a', { spec }))
  const all = offer.types()
  const archOf = (each: (typeof types)[number]) => singleValue(each.requirements, labels.arch)
  expect(all.some((each) => archOf(each) === 'arm64')).toBe(true)
  expect(types.every((each) => archOf(each) === 'amd64')).toBe(true)
  expect(new Set(types.map(({ capacity }) => capacity['pods']))).toHaveProperty('size', 1)
  expect(notLookedAt.join()).toContain('quotas')
  expect(notLookedAt.join()).not.toContain('250 pods')
})

test('a class with trusted launch gets no arm64 size, because there is no image for it', () => {
  const spec = { security: { trustedLaunch: { vtpm: true } } }
  const { types } = regionOffer('westeurope').forNodeClass(aksNodeClass('a', { spec }))
  expect(types.length).toBeGreaterThan(100)
  const archs = types.map(({ requirements }) => singleValue(requirements, labels.arch))
  expect(new Set(archs)).toEqual(new Set(['amd64']))
})

test('a location without prices is rejected', () => {
  expect(() => regionOffer('atlantis')).toThrow('there are no prices for the location atlantis')
})

test('the location comes from the zones of the nodes', () => {
  expect(offlineLocations).toHaveLength(57)
  const zonal = node('a', { labels: { [labels.zone]: 'westeurope-2' } })
  expect(locationOfObjects([zonal])).toMatchObject({ region: 'westeurope', saidBy: 'Node a' })
  expect(locationOfObjects([aksNodeClass('a')])).toBeUndefined()
})
