import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { azureTables } from './generator.ts'

/** Returns the prices of the sizes that are in the published table of sizes. */
const pricesIn = (text: string): string => {
  const sizes = new Set(azureTables.published('sizes').match(/(?<= )[^ =!\n]+(?=[ =!\n]|$)/g))
  const regions = [...text.matchAll(/initialOnDemandPrices\["(\w+)"\] = map\[string\]float64\{([\s\S]*?)\n\t\}/g)]
  return regions
    .map(([, region = '', block = '']) => {
      const prices = [...block.matchAll(/"Standard_([^"]+)":\s*([0-9.]+)/g)]
        .map(([, size = '', price]) => [size, Number(price)] as const)
        .filter(([size]) => sizes.has(size))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
      return [region, ...prices.map(([size, price]) => `${size}=${price}`)].join(' ')
    })
    .toSorted()
    .join('\n')
}

const gpusIn = (text: string): string =>
  Object.entries(parse(text) as Readonly<Record<string, { readonly gpu: string; readonly os: readonly string[] }>>)
    .map(([name, { gpu, os }]) => `${name} ${gpu} ${os.join(',')}`)
    .toSorted()
    .join('\n')

/**
 * Returns published tables by name, for `npm run tables -- azure DIRECTORY`. The table of sizes is not imported.
 * @param directory contains zz_generated.pricing.go and supported-gpus.yaml of karpenter-provider-azure (Apache-2.0)
 */
export const importTables = (directory: string | undefined): Readonly<Record<string, string>> => {
  if (directory === undefined) throw new Error('usage: npm run tables -- azure DIRECTORY')
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8')
  return { 'first-prices': pricesIn(read('zz_generated.pricing.go')), 'gpu-sizes': gpusIn(read('supported-gpus.yaml')) }
}
