import type { UsdPerHour } from '@kerf/apis'
import type { Prices, PriceTable } from '@kerf/provider-kit'
import { knownPrices } from '../tables/known-prices.ts'

/**
 * Returns the prices of a region: those of the file, then those that come with Kerf (`providers/gcp/docs/spec/gcp.md#prices`). Spot prices
 * are the same in all zones of a region, unless the file names zones.
 */
export const regionPrices = (region: string, file?: PriceTable): Prices => {
  const known = knownPrices(region)
  return {
    onDemand: (type): UsdPerHour | undefined => file?.onDemand.get(type) ?? known?.get(type)?.onDemand,
    spot: (type, zone): UsdPerHour | undefined => file?.spot.get(type)?.get(zone) ?? known?.get(type)?.spot,
  }
}
