import { ownValue } from '@kerf/apis'
import table from './on-demand-prices.json' with { type: 'json' }

/** The month of the prices. */
export const PRICE_DATE = table.date

/**
 * Returns Kerf's built-in on-demand prices in CNY an hour, by instance type. Returns undefined for a region without prices. The map
 * contains only types that the region sells. In the source, a price of 0 means that the price is unknown.
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
