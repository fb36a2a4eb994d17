import type { KubeObject } from '@kerf/apis'
import type { OfflineRegions } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { openRegion } from './remembered-regions.ts'

const nodeClass = (name: string): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'NodeClass',
  metadata: { name },
})

/**
 * Returns regions that record which region was opened and for which node class instance types were computed. The first `failures` attempts
 * to open a region fail.
 */
const recordedRegions = (failures = 0) => {
  const work: string[] = []
  const regions: OfflineRegions = {
    names: ['north', 'south'],
    usual: 'north',
    of: () => undefined,
    open: async (region) => {
      work.push(region)
      if (work.length <= failures) throw new Error(`${region} cannot be read`)
      return {
        region,
        pricesOf: region,
        priceNote: '',
        types: () => {
          work.push(`${region} types`)
          return []
        },
        forNodeClass: ({ metadata }) => {
          work.push(`${region} ${metadata.name}`)
          return { types: [], notLookedAt: [], problems: [] }
        },
      }
    },
    read: async () => undefined,
  }
  return { work, regions }
}

test('a region is opened once, and its instance types and those of a node class are computed once', async () => {
  const { work, regions } = recordedRegions()
  const [first, second] = await Promise.all([
    openRegion('once', regions, 'north'),
    openRegion('once', regions, 'north'),
  ])
  expect(first.types()).toBe(second.types())
  expect(first.forNodeClass(nodeClass('a'))).toBe(second.forNodeClass(nodeClass('a')))
  expect(first.forNodeClass(nodeClass('b'))).not.toBe(first.forNodeClass(nodeClass('a')))
  expect(work).toEqual(['north', 'north types', 'north a', 'north b'])
})

test('a region that could not be opened is opened again', async () => {
  const { work, regions } = recordedRegions(1)
  await expect(openRegion('failing', regions, 'north')).rejects.toThrow('north cannot be read')
  expect((await openRegion('failing', regions, 'north')).region).toBe('north')
  await openRegion('failing', regions, 'north')
  expect(work).toEqual(['north', 'north'])
})

test('of many regions and node classes, the oldest ones are computed again', async () => {
  const { work, regions } = recordedRegions()
  const offer = await openRegion('many', regions, 'first')
  for (let index = 0; index < 17; index++) offer.forNodeClass(nodeClass(`class ${index}`))
  for (const region of ['b', 'c', 'd', 'e']) await openRegion('many', regions, region)
  work.length = 0
  offer.forNodeClass(nodeClass('class 1'))
  offer.forNodeClass(nodeClass('class 0'))
  await openRegion('many', regions, 'b')
  await openRegion('many', regions, 'first')
  expect(work).toEqual(['first class 0', 'first'])
})
