import type { KubeObject } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes, OfflineRegions, RegionOffer } from '@kerf/provider-contract'
import { keptPromise, SystemClock, TtlCache } from '@kerf/runtime'

const clock = new SystemClock()
const ttl = Number.POSITIVE_INFINITY
/** Maximum number of cached regions, and of cached node classes in each region. If there are more, the oldest entry is dropped. */
const MOST_REGIONS = 4
const MOST_CLASSES = 16

/**
 * Returns the same instance types, but computes those of each node class only once. Callers then always get the same list objects, so that
 * caches whose keys are these lists find them.
 */
const remembered = (offer: RegionOffer): RegionOffer => {
  const byClass = new TtlCache<string, OfflineClassTypes>(clock, { ttl, maxSize: MOST_CLASSES })
  let types: readonly InstanceType[] | undefined
  return {
    ...offer,
    types: () => {
      types ??= offer.types()
      return types
    },
    forNodeClass: (nodeClass: KubeObject) => {
      const key = JSON.stringify(nodeClass)
      const known = byClass.get(key)
      if (known !== undefined) return known
      const computed = offer.forNodeClass(nodeClass)
      byClass.set(key, computed)
      return computed
    },
  }
}

const offers = new TtlCache<string, Promise<RegionOffer>>(clock, { ttl, maxSize: MOST_REGIONS })

/**
 * Returns the instance types of a provider's region, which come with Kerf and therefore do not change while the process runs. Computing them
 * takes up to 100 ms for each node class, and several parts of a verb ask for them. A region that cannot be opened is opened again for the
 * next caller.
 *
 * @throws Error for a region that is not in `regions.names`
 */
export const openRegion = (provider: string, regions: OfflineRegions, region: string): Promise<RegionOffer> =>
  keptPromise(offers, `${provider} ${region}`, async () => remembered(await regions.open(region)))
