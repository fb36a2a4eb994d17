import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gcpTables } from './generator.ts'

interface RegionPrices {
  readonly on_demand: Readonly<Record<string, number>>
  readonly spot: Readonly<Record<string, number>>
}

/** Returns the names of the instance types in the published table. */
const knownTypes = (): ReadonlySet<string> =>
  new Set(
    gcpTables
      .published('types')
      .split('\n')
      .flatMap((line) => {
        const [family = '', ...types] = line.split(' ')
        return types.map((type) => `${family}-${type.slice(0, type.indexOf('='))}`)
      }),
  )

/** Rounds a price to ten decimal places, because the source has rounding errors in later digits. */
const rounded = (price: number | undefined): string => (price === undefined ? '' : `${Number(price.toFixed(10))}`)

/** Returns the prices of the known instance types in a region. If there is no spot price, its field is empty. */
const regionLine = (region: string, { on_demand, spot }: RegionPrices, known: ReadonlySet<string>): string =>
  [
    region,
    ...Object.entries(on_demand)
      .filter(([type]) => known.has(type))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, price]) => `${type}=${rounded(price)}/${rounded(spot[type])}`),
  ].join(' ')

/**
 * Returns published tables by name, for `npm run tables -- gcp DIRECTORY`. Does not import the other tables.
 * @param directory contains initial-prices.json of karpenter-provider-gcp (Apache-2.0)
 */
export const importTables = (directory: string | undefined): Readonly<Record<string, string>> => {
  if (directory === undefined) throw new Error('usage: npm run tables -- gcp DIRECTORY')
  const text = readFileSync(join(directory, 'initial-prices.json'), 'utf8')
  const { prices }: { readonly prices: Readonly<Record<string, RegionPrices>> } = JSON.parse(text)
  const regions = Object.entries(prices).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const known = knownTypes()
  return { prices: regions.map(([region, own]) => regionLine(region, own, known)).join('\n') }
}
