import type { UsdPerHour } from '@kerf/apis'
import { FIRST_PRICES, PRICED_SIZES } from './generated/first-prices.ts'

const FALLBACK = 'eastus'

/** Built-in on-demand prices of an earlier date. Kerf uses them until Azure returns current prices. */
export interface FirstPrices {
  /**
   * The location of the prices. It differs from the requested one if that location has no table (`providers/azure/docs/spec/azure.md#prices`).
   */
  readonly location: string
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
}

const lines = new Map(
  FIRST_PRICES.trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
)

/** Returns the prices that come with Kerf, dated 18 June 2026. */
export const firstPrices = (location: string): FirstPrices => {
  const known = lines.has(location) ? location : FALLBACK
  const prices = (lines.get(known) ?? '').split(' ')
  const onDemand = new Map<string, UsdPerHour>()
  for (const [index, size] of PRICED_SIZES.split(' ').entries()) {
    const price = prices[index] ?? ''
    if (price !== '') onDemand.set(`Standard_${size}`, Number(price))
  }
  return { location: known, onDemand }
}
