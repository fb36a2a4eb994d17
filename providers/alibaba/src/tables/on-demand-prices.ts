import { ownValue } from '@kerf/apis'
import table from './on-demand-prices.json' with { type: 'json' }

/** The month of the prices. */
export const PRICE_DATE = table.date

/**
 * Returns the on-demand prices in CNY an hour that come with Kerf, by instance type, or undefined for a region without prices. A type
 * that the region does not sell is not in the map. For some types the source has the price 0, which means unknown.
 */
export const onDemandPricesInCny = (region: string): ReadonlyMap<string, number> | undefined => {
  const prices: Readonly<Record<string, Readonly<Record<string, string>>>> = table.prices
  const families = ownValue(prices, region)
  return families === undefined
    ? undefined
    : new Map(
        Object.entries(families)
          .flatMap(([family, entries]) =>
            entries.split(' ').map((entry) => {
              const [size = '', price = ''] = entry.split('=')
              return [`${family}.${size}`, Number(price)] as const
            }),
          )
          .filter(([, price]) => price > 0),
      )
}
