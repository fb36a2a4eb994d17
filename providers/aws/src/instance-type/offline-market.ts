import type { UsdPerHour } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import type { Prices, PriceTable } from '@kerf/provider-kit'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { regionCurrency } from '../pricing/price-list.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { INSTANCE_TYPES } from '../tables/generated/instance-types.ts'
import { REGION_OFFERS } from '../tables/generated/region-offers.ts'
import { readOfflineTypes } from '../tables/offline-types.ts'
import { readRegionOffers } from '../tables/region-offers.ts'

/** An instance type, and the zones that offer it. */
export interface OfferedType {
  readonly type: Ec2InstanceType
  readonly zones: readonly string[]
}

/** The instance types and prices of a region, as far as they are known without calling EC2. */
export interface OfflineMarket {
  readonly region: string
  /** All zones of the region, in order. */
  readonly zones: readonly string[]
  readonly types: readonly OfferedType[]
  readonly prices: Prices
  /** The region whose on-demand prices are used. */
  readonly pricesOf: string
  /** A note to the user about the prices. */
  readonly priceNote: string
}

/**
 * The assumed spot price as a fraction of the on-demand price. Real spot prices vary by instance type, zone and time, so the estimate only
 * preserves the price order of the types.
 */
export const OFFLINE_SPOT_FACTOR = 0.4

/** Returns the known on-demand prices, and estimates spot prices. An instance type without a known on-demand price has no spot price. */
const estimated = (onDemand: ReadonlyMap<string, UsdPerHour>): Prices => ({
  onDemand: (name) => onDemand.get(name),
  spot: (name) => {
    const price = onDemand.get(name)
    return price === undefined ? undefined : Math.round(price * OFFLINE_SPOT_FACTOR * 1e6) / 1e6
  },
})

/**
 * Returns a region from the tables that come with Kerf (`providers/aws/docs/spec/aws-emulation.md#instance-types-offline`).
 *
 * @throws KerfError `UnknownRegion` for a region that the tables do not contain. `offlineRegions` lists the regions.
 */
export const offlineMarket = (region: string): OfflineMarket => {
  const offers = readRegionOffers(REGION_OFFERS).get(region)
  if (offers === undefined)
    throw providerErrors.UnknownRegion({ problem: `Kerf does not include the types and zones of ${region}` })
  const { region: pricesOf, onDemand } = firstPrices(region)
  const types = [...readOfflineTypes(INSTANCE_TYPES)].map((type, index) => ({
    type,
    zones: offers.offeredIn[index] ?? [],
  }))
  return {
    region,
    zones: offers.zones,
    types: types.filter(({ zones }) => zones.length > 0),
    prices: estimated(onDemand),
    pricesOf,
    priceNote: `prices: on-demand as published by AWS for ${pricesOf}; spot is estimated at 40 % of that`,
  }
}

/** The instance types, zones and prices of a region that AWS returned for an account. */
export interface AccountTypes {
  readonly region: string
  readonly types: readonly OfferedType[]
  readonly prices: PriceTable
}

/** Returns the instance types and prices that AWS returned for an account. Spot offerings have a price only if EC2 returned one. */
export const accountMarket = ({ region, types, prices }: AccountTypes): OfflineMarket => {
  const isEstimate = prices.spot.size === 0
  const { spot } = estimated(prices.onDemand)
  const of = prices.readAt === undefined ? '' : ` on ${new Date(prices.readAt).toISOString().slice(0, 10)}`
  return {
    region,
    zones: [...new Set(types.flatMap(({ zones }) => zones))].sort(),
    types,
    prices: {
      onDemand: (name) => prices.onDemand.get(name),
      spot: isEstimate ? spot : (name, zone) => prices.spot.get(name)?.get(zone),
    },
    pricesOf: region,
    priceNote: `prices: from AWS for ${region}${of}${regionCurrency(region) === 'USD' ? '' : `, in ${regionCurrency(region)}`}${isEstimate ? '; spot is estimated at 40 % of on-demand' : ''}`,
  }
}
