import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes, RegionOffer } from '@kerf/provider-contract'
import { providerErrors } from '@kerf/provider-contract'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { offlineLocations } from '../regions.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { isTriedSize } from '../tables/known-sizes.ts'
import { classTraits } from './class-traits.ts'
import { buildInstanceTypes, MEMORY_OVERHEAD } from './instance-type.ts'
import { offlineSizes } from './offline-sizes.ts'

/** The default network configuration of a cluster. */
const network = { networkPlugin: 'azure', networkPluginMode: 'overlay' } as const
const settings = { nodeResourceGroup: 'MC_demo', vmMemoryOverheadPercent: MEMORY_OVERHEAD }

/** Returns phrases for the facts that could not be checked because the tables do not contain them. */
const notLookedAt = ({ metadata, spec = {} }: AKSNodeClass): readonly string[] => {
  const of = `of AKSNodeClass ${metadata.name}`
  return [
    'which zones and sizes your subscription can use, and its quotas (assuming three zones, all sizes and no limit)',
    ...(spec.security?.encryptionAtHost === true ? [`which sizes encrypt at host, as spec.security ${of} asks`] : []),
    ...(spec.security?.trustedLaunch === undefined
      ? []
      : [`which amd64 sizes have trusted launch, as spec.security ${of} asks`]),
    ...(spec.maxPods === undefined
      ? ['the network plugin of the cluster (250 pods to a node, as with Azure CNI overlay)']
      : []),
  ]
}

/**
 * Returns the sizes that come with Kerf, with the prices of a location on 18 June 2026. Spot has the on-demand price, because the spot
 * price is unknown without calling Azure. Upstream starts with the same assumption.
 *
 * @throws KerfError `UnknownRegion` for a location that does not come with Kerf
 */
export const regionOffer = (location: string): RegionOffer => {
  if (!offlineLocations.includes(location))
    throw providerErrors.UnknownRegion({ problem: `there are no prices for the location ${location}` })
  const { onDemand } = firstPrices(location)
  const price = (name: string): number | undefined => (isTriedSize(name) ? onDemand.get(name) : undefined)
  const market = { location, onDemandPrice: price, spotPrice: price, isAvailable: () => true }
  const sizes = offlineSizes((name) => price(name) !== undefined)
  const typesFor = (nodeClass: Pick<AKSNodeClass, 'spec' | 'status'>): readonly InstanceType[] =>
    buildInstanceTypes(sizes, classTraits(nodeClass, network), market, settings)
  return {
    region: location,
    pricesOf: location,
    priceNote: `on-demand prices in ${location} of 18 June 2026; spot is assumed to cost the same, so set spot prices with NodeOverlays`,
    types: () => typesFor({}),
    // The caller passes only AKSNodeClasses.
    forNodeClass: (nodeClass): OfflineClassTypes => ({
      types: typesFor(nodeClass as AKSNodeClass),
      notLookedAt: notLookedAt(nodeClass as AKSNodeClass),
      problems: [],
    }),
  }
}
