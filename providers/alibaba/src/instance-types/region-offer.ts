import { capacityTypes } from '@kerf/apis'
import { type OfflineClassTypes, providerErrors, type RegionOffer } from '@kerf/provider-contract'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'
import { DEFAULT_CNY_PER_USD, fromCny, RATE_DATE } from '../pricing/currency.ts'
import { isPriceFile, type PriceFile, readPriceFile } from '../pricing/price-file.ts'
import { USUAL_REGION } from '../regions.ts'
import { knownTypes, knownZones } from '../tables/known-types.ts'
import { onDemandPricesInCny, PRICE_DATE } from '../tables/on-demand-prices.ts'
import { classTraits } from './class-traits.ts'
import { instanceTypes } from './instance-types.ts'
import type { Market } from './offerings.ts'

const settings = { network: { plugin: 'other' }, vmMemoryOverheadPercent: 0.065 } as const
const SPOT_UNKNOWN = 'spot prices, which only the account’s API has, so that no spot offering counts'

/** Returns the facts that could not be checked because the tables do not contain them. Each text completes a sentence. */
const notLookedAt = ({ metadata, spec, status }: ECSNodeClass, hasSpotPrices: boolean): readonly string[] => [
  'which types are in stock in which zone, and the quotas of the account (every type of the region in every zone counts)',
  ...(hasSpotPrices ? [] : [SPOT_UNKNOWN]),
  ...((status?.vSwitches ?? []).length > 0
    ? []
    : [`the vSwitches of ECSNodeClass ${metadata.name} (all zones of the region count)`]),
  ...(spec?.kubeletConfiguration?.maxPods === undefined
    ? ['the network plugin of the cluster (110 pods to a node, as with neither Terway nor Flannel)']
    : []),
  'instance types that are newer than the tables of July 2021 and October 2024',
]

/** Returns the zones of the node class's vSwitches, or all zones of the region if the class has no vSwitch there. */
const classZones = (region: string, { status }: Pick<ECSNodeClass, 'status'>): readonly string[] => {
  const zones = knownZones(region)
  const own = new Set(status?.vSwitches?.map(({ zoneID }) => zoneID))
  const used = zones.filter((zone) => own.has(zone))
  return used.length === 0 ? zones : used
}

const offerWith = (region: string, { cnyPerUsd, prices: own }: PriceFile): RegionOffer => {
  const bundled = onDemandPricesInCny(region)
  if (bundled === undefined)
    throw providerErrors.UnknownRegion({ problem: `there are no prices of the region ${region}` })
  const market = (zones: readonly string[]): Market => ({
    region,
    zones,
    onDemandPrice: (type) => {
      const price = bundled.get(type)
      return own.onDemand.get(type) ?? (price === undefined ? undefined : fromCny(price, cnyPerUsd))
    },
    spotPrice: (type, zone) => own.spot.get(type)?.get(zone),
    isAvailable: (_type, _zone, capacityType) => capacityType !== capacityTypes.reserved,
  })
  const types = [...knownTypes().values()]
  const typesFor = (nodeClass: Pick<ECSNodeClass, 'spec' | 'status'>) =>
    instanceTypes(types, classTraits(nodeClass), market(classZones(region, nodeClass)), settings)
  const rateNote = cnyPerUsd === DEFAULT_CNY_PER_USD ? `, the rate of ${RATE_DATE}` : ''
  return {
    region,
    pricesOf: region,
    priceNote: `on-demand prices in ${region} of ${PRICE_DATE}, converted at ${cnyPerUsd} CNY to the dollar${rateNote}; spot prices are unknown offline`,
    types: () => typesFor({}),
    // The caller passes only node classes of this provider.
    forNodeClass: (nodeClass): OfflineClassTypes => ({
      types: typesFor(nodeClass as ECSNodeClass),
      notLookedAt: notLookedAt(nodeClass as ECSNodeClass, own.spot.size > 0),
      problems: [],
    }),
  }
}

const NO_FILE: PriceFile = { cnyPerUsd: DEFAULT_CNY_PER_USD, prices: { onDemand: new Map(), spot: new Map() } }

/**
 * Returns Kerf's built-in instance types with their offerings in one region. A type without a price in the region has no offerings.
 *
 * @throws KerfError `UnknownRegion` for a region that is not in Kerf's tables
 */
export const regionOffer = (region: string): RegionOffer => offerWith(region, NO_FILE)

/**
 * Returns the instance types with the prices and the exchange rate of a price file. Returns undefined if the document is not a price file.
 *
 * @throws ProblemError whose message explains what is wrong with the document
 */
export const priceFileOffer = (document: unknown): RegionOffer | undefined => {
  if (!isPriceFile(document)) return undefined
  const file = readPriceFile(document)
  return offerWith(file.region ?? USUAL_REGION, file)
}
