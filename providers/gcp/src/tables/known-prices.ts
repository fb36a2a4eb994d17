import type { UsdPerHour } from '@kerf/apis'
import { PRICES } from './price-data.ts'

/** The prices of an instance type in one region. */
export interface TypePrices {
  readonly onDemand: UsdPerHour
  readonly spot: UsdPerHour
}

const lines = new Map(
  PRICES.trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line] as const),
)

/** Returns the prices that come with Kerf, by the name of the type. Undefined for a region without prices. */
export const knownPrices = (region: string): ReadonlyMap<string, TypePrices> | undefined => {
  const line = lines.get(region)
  if (line === undefined) return undefined
  const prices = new Map<string, TypePrices>()
  let family = ''
  for (const word of line.split(' ').slice(1)) {
    const [rest = '', amounts] = word.split('=')
    if (amounts === undefined) family = word
    else {
      const [onDemand, spot] = amounts.split('/')
      prices.set(`${family}-${rest}`, { onDemand: Number(onDemand), spot: Number(spot) })
    }
  }
  return prices
}

/** The regions with prices. */
export const pricedRegions: readonly string[] = [...lines.keys()]
