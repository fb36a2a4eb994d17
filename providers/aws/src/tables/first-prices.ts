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

/** On-demand prices as they once were, for the time before AWS is asked and for where it cannot be. */
export interface FirstPrices {
  /** The region they are of: another one's when the region has no table (`docs/spec/aws.md#prices`). */
  readonly region: string
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
}

/** The prices that come with Kerf. An estimate: lists change, and regions differ. In CNY for China. */
export const firstPrices = (region: string): FirstPrices => {
  // Regions of China have prices in another currency; the one with a table stands for the other.
  const nearest = Object.hasOwn(regions, region) ? region : region.startsWith('cn-') ? 'cn-north-1' : FALLBACK
  const table = ownValue(regions, nearest) ?? US_EAST_1
  return {
    region: nearest,
    onDemand: new Map([...byTypeName(table)].map(([name, text]) => [name, Number(text)])),
  }
}
