import type { InstanceType } from '@kerf/engine'
import { type OfflineClassTypes, providerErrors, type RegionOffer } from '@kerf/provider-contract'
import { classProblems } from '../node-class/class-problems.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'
import { knownPrices, PRICE_DATE } from '../tables/known-prices.ts'
import { knownTypes, zonesOfType } from '../tables/known-types.ts'
import { classTraits } from './class-traits.ts'
import { instanceTypesForClass } from './instance-types.ts'
import { MEMORY_OVERHEAD } from './memory-overhead.ts'
import type { Market } from './offerings.ts'

/** Facts that only the project's APIs return, so an offline command cannot check them. Each text completes a sentence. */
const NOT_LOOKED_AT = [
  'which zones your cluster uses and which of them sell the newer types (assumed: all zones of the region)',
  'the quotas of your project (assumed: no limits)',
  'the images that spec.imageSelectorTerms selects (assumed: images for every architecture and for GPUs)',
]

/**
 * Returns Kerf's built-in instance types with their offerings in one region. Omits types without a price in the region.
 *
 * @throws KerfError `UnknownRegion` for a region that is not in Kerf's tables
 */
export const regionOffer = (region: string): RegionOffer => {
  const prices = knownPrices(region)
  if (prices === undefined)
    throw providerErrors.UnknownRegion({ problem: `there are no prices of the region ${region}` })
  const market: Market = {
    region,
    zones: (type) => zonesOfType(type, region),
    price: (type, _zone, capacityType) => {
      const price = prices.get(type)
      return capacityType === 'spot' ? price?.spot : price?.onDemand
    },
    isAvailable: () => true,
  }
  const typesFor = (nodeClass: Pick<GCENodeClass, 'spec'>): readonly InstanceType[] =>
    instanceTypesForClass(knownTypes.values(), classTraits(nodeClass), market, MEMORY_OVERHEAD)
  return {
    region,
    pricesOf: region,
    priceNote: `prices on demand and of spot instances in ${region} of ${PRICE_DATE}`,
    types: () => typesFor({}),
    // The caller passes only node classes of this provider.
    forNodeClass: (nodeClass): OfflineClassTypes => {
      const problems = classProblems(nodeClass as GCENodeClass).map(({ message }) => message)
      return {
        types: problems.length === 0 ? typesFor(nodeClass as GCENodeClass) : [],
        notLookedAt: NOT_LOOKED_AT,
        problems,
      }
    },
  }
}
