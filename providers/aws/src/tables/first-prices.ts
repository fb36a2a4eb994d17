import type { UsdPerHour } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { CN_NORTH_1, US_EAST_1, US_GOV_EAST_1, US_GOV_WEST_1 } from './generated/first-prices.ts'
import { byTypeName } from './table.ts'

const regions: Readonly<Record<string, string>> = {
  'us-east-1': US_EAST_1,
  'us-gov-east-1': US_GOV_EAST_1,
  'us-gov-west-1': US_GOV_WEST_1,
  'cn-north-1': CN_NORTH_1,
}

const FALLBACK = 'us-east-1'

/** On-demand prices of an earlier date. They are used until AWS returns current prices. */
export interface FirstPrices {
  /** The region of the prices. It differs from the requested one if that region has no table (`providers/aws/docs/spec/aws.md#prices`). */
  readonly region: string
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
}

/** Returns the prices that come with Kerf. They are estimates, because prices change and differ by region. Prices for China are in CNY. */
export const firstPrices = (region: string): FirstPrices => {
  // Prices in China are in another currency, so a Chinese region without a table uses the table of cn-north-1.
  const nearest = Object.hasOwn(regions, region) ? region : region.startsWith('cn-') ? 'cn-north-1' : FALLBACK
  const table = ownValue(regions, nearest) ?? US_EAST_1
  return {
    region: nearest,
    onDemand: new Map([...byTypeName(table)].map(([name, text]) => [name, Number(text)])),
  }
}
