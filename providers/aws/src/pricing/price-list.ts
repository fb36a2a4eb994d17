import { ownField, type UsdPerHour } from '@kerf/apis'

const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce(ownField, value)

const parseValues = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Parses products of the Pricing API, each a JSON text, into on-demand prices by instance type (`providers/aws/docs/spec/aws.md#prices`).
 * Leaves out products without a price above zero.
 */
export const pricesOfProducts = (
  products: readonly string[],
  currency: 'USD' | 'CNY',
): ReadonlyMap<string, UsdPerHour> => {
  const prices = new Map<string, UsdPerHour>()
  for (const text of products) {
    const product = parsed(text)
    const type = at(product, 'product', 'attributes', 'instanceType')
    if (typeof type !== 'string') continue
    for (const term of parseValues(at(product, 'terms', 'OnDemand'))) {
      for (const dimension of parseValues(at(term, 'priceDimensions'))) {
        const price = Number(at(dimension, 'pricePerUnit', currency))
        if (Number.isFinite(price) && price > 0) prices.set(type, price)
      }
    }
  }
  return prices
}

const common = (region: string) => ({
  regionCode: region,
  serviceCode: 'AmazonEC2',
  preInstalledSw: 'NA',
  operatingSystem: 'Linux',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
})

/** Returns the attributes of the two kinds of products that include on-demand instances. */
export const productFilters = (region: string): readonly Readonly<Record<string, string>>[] => [
  { ...common(region), tenancy: 'Shared', productFamily: 'Compute Instance' },
  { ...common(region), tenancy: 'Dedicated', productFamily: 'Compute Instance (bare metal)' },
]

export const regionCurrency = (region: string): 'USD' | 'CNY' => (region.startsWith('cn-') ? 'CNY' : 'USD')
