import type { UsdPerHour } from '@kerf/apis'
import { PRICED_TYPES, PRICES } from './generated/prices.ts'

/** The prices of an instance type in one region, in USD an hour. */
export interface TypePrices {
  readonly onDemand: UsdPerHour
  /** The spot price. Undefined if it is unknown. */
  readonly spot: UsdPerHour | undefined
}

/** The date of the prices. */
export const PRICE_DATE = '6 August 2026'

const lines = new Map(
  PRICES.trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line] as const),
)

/** Returns Kerf's built-in prices in a region, by instance type. Returns undefined for a region without prices. */
export const knownPrices = (region: string): ReadonlyMap<string, TypePrices> | undefined => {
  const line = lines.get(region)
  if (line === undefined) return undefined
  const columns = line.split(' ').slice(1)
  return new Map(
    PRICED_TYPES.split(' ').flatMap((type, index) => {
      const [onDemand = '', spot = ''] = columns[index]?.split('/') ?? []
      if (onDemand === '') return []
      return [[type, { onDemand: Number(onDemand), spot: spot === '' ? undefined : Number(spot) }] as const]
    }),
  )
}

/** The regions with prices. */
export const pricedRegions: readonly string[] = [...lines.keys()]
