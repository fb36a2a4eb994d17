import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface RegionPrices {
  readonly on_demand: Readonly<Record<string, number>>
  readonly spot: Readonly<Record<string, number>>
}

/** Returns the prices of a region. A type without a spot price has none at all in the source. */
const lineOf = (region: string, { on_demand, spot }: RegionPrices): string =>
  [
    region,
    ...Object.entries(on_demand)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, price]) => `${type}=${price}/${spot[type] ?? ''}`),
  ].join(' ')

/**
 * Returns published tables by name, for `npm run tables -- gcp DIRECTORY`. The other tables are not imported.
 * @param directory holds initial-prices.json of karpenter-provider-gcp (Apache-2.0)
 */
export const importTables = (directory: string | undefined): Readonly<Record<string, string>> => {
  if (directory === undefined) throw new Error('usage: npm run tables -- gcp DIRECTORY')
  const text = readFileSync(join(directory, 'initial-prices.json'), 'utf8')
  const { prices }: { readonly prices: Readonly<Record<string, RegionPrices>> } = JSON.parse(text)
  const regions = Object.entries(prices).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { prices: regions.map(([region, own]) => lineOf(region, own)).join('\n') }
}
