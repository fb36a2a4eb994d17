import type { KubeObject } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes, OfflineRegions, RegionOffer } from '@kerf/provider-contract'

/** A process seldom asks for more regions or node classes than this. The oldest ones are computed again. */
const MOST_REGIONS = 4
const MOST_CLASSES = 16

const keep = <V>(kept: Map<string, V>, key: string, value: V, most: number): V => {
  kept.set(key, value)
  for (const oldest of [...kept.keys()].slice(0, kept.size - most)) kept.delete(oldest)
  return value
}

/** Returns the same instance types, but computes those of each node class once. The lists are then the same objects, which other caches use. */
const remembered = (offer: RegionOffer): RegionOffer => {
  const byClass = new Map<string, OfflineClassTypes>()
  let types: readonly InstanceType[] | undefined
  return {
    ...offer,
    types: () => {
      types ??= offer.types()
      return types
    },
    forNodeClass: (nodeClass: KubeObject) => {
      const key = JSON.stringify(nodeClass)
      return byClass.get(key) ?? keep(byClass, key, offer.forNodeClass(nodeClass), MOST_CLASSES)
    },
  }
}

const offers = new Map<string, Promise<RegionOffer>>()

/**
 * Returns the instance types of a provider's region, which come with Kerf and therefore do not change while the process runs. Computing them
 * takes up to 100 ms for each node class, and several parts of a verb ask for them.
 *
 * @throws Error for a region that is not in `regions.names`
 */
export const openRegion = (provider: string, regions: OfflineRegions, region: string): Promise<RegionOffer> => {
  const key = `${provider} ${region}`
  return offers.get(key) ?? keep(offers, key, regions.open(region).then(remembered), MOST_REGIONS)
}
