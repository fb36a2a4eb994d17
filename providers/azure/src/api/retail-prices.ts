import type { UsdPerHour } from '@kerf/apis'
import { type HttpClient, readPages } from '@kerf/provider-kit'

/** Prices of the VM sizes of a location, by the names of the sizes. */
export interface RetailPrices {
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
  readonly spot: ReadonlyMap<string, UsdPerHour>
}

/** An item of the retail price API, as far as it is read. */
interface Item {
  readonly armSkuName?: string
  readonly skuName?: string
  readonly productName?: string
  readonly meterName?: string
  readonly retailPrice?: number
}

interface PricePage {
  readonly Items?: readonly Item[]
  readonly NextPageLink?: string | null
}

const RETAIL_PRICES_ENDPOINT = 'https://prices.azure.com'
const PATH = '/api/retail/prices'
const VERSION = '2023-01-01-preview'

/** A location in a filter of OData, where a quote is written twice. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const filterOf = (location: string): string =>
  [
    "priceType eq 'Consumption'",
    "currencyCode eq 'USD'",
    "serviceFamily eq 'Compute'",
    "serviceName eq 'Virtual Machines'",
    `armRegionName eq ${quoted(location)}`,
  ].join(' and ')

/** Not of Windows, and not of the older product that spot took the place of. */
const isOfLinux = ({ productName = '', meterName = '' }: Item): boolean =>
  !productName.endsWith(' Windows') && !meterName.endsWith(' Low Priority')

/**
 * Asks Azure what its VM sizes cost in a location (`docs/spec/azure.md#prices`). The API needs no credentials. It answers in pages,
 * each with the address of the next, which has to be of the same server.
 *
 * @throws what the client throws; Error for an answer that is no list of prices, or for one that leads to another server.
 */
export const readRetailPrices = async (
  client: Pick<HttpClient, 'call'>,
  location: string,
  signal: AbortSignal,
  endpoint: string = RETAIL_PRICES_ENDPOINT,
): Promise<RetailPrices> => {
  const first = new URL(PATH, endpoint)
  first.searchParams.set('api-version', VERSION)
  first.searchParams.set('$filter', filterOf(location))
  const items = await readPages<Item, string>(async (next) => {
    const url = next === undefined ? first : new URL(next)
    // The address of Azure's own pages may name its port.
    if (url.host !== first.host) throw new Error(`the prices of ${first.host} go on at ${url.host}, which is not asked`)
    const { text } = await client.call({ method: 'GET', url }, signal)
    const page: PricePage = JSON.parse(text)
    if (page.Items === undefined) throw new Error(`${first.host} answered no list of prices`)
    return { items: page.Items, next: page.NextPageLink ?? undefined }
  })
  const onDemand = new Map<string, UsdPerHour>()
  const spot = new Map<string, UsdPerHour>()
  for (const item of items) {
    const { armSkuName = '', skuName = '', retailPrice } = item
    if (armSkuName === '' || retailPrice === undefined || !Number.isFinite(retailPrice) || retailPrice < 0) continue
    if (!isOfLinux(item)) continue
    const prices = skuName.endsWith(' Spot') ? spot : onDemand
    prices.set(armSkuName, retailPrice)
  }
  return { onDemand, spot }
}
