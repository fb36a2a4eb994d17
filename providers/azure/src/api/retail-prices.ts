import type { UsdPerHour } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { type HttpClient, readPages } from '@kerf/provider-kit'

/** Prices of the VM sizes of a location, by size name. */
export interface RetailPrices {
  readonly onDemand: ReadonlyMap<string, UsdPerHour>
  readonly spot: ReadonlyMap<string, UsdPerHour>
}

/** The fields of a retail price item that Kerf reads. */
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

/** Quotes a text for an OData filter, which escapes quotes by doubling them. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const filterOf = (location: string): string =>
  [
    "priceType eq 'Consumption'",
    "currencyCode eq 'USD'",
    "serviceFamily eq 'Compute'",
    "serviceName eq 'Virtual Machines'",
    `armRegionName eq ${quoted(location)}`,
  ].join(' and ')

/** Returns true unless the item is for Windows or for Low Priority, the predecessor of spot. */
const isOfLinux = ({ productName = '', meterName = '' }: Item): boolean =>
  !productName.endsWith(' Windows') && !meterName.endsWith(' Low Priority')

/**
 * Reads the prices of the VM sizes in a location (`providers/azure/docs/spec/azure.md#prices`). The API needs no credentials. Each page contains
 * the URL of the next one, which must be on the same server.
 *
 * @throws the error of the client; Error for an answer that is not a price list, or for a page on another server.
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
    // URLs of Azure's pages may include the port.
    if (url.host !== first.host)
      throw providerErrors.IncompleteAnswer({
        problem: `the prices of ${first.host} go on at ${url.host}, which is not asked`,
      })
    const { text } = await client.call({ method: 'GET', url }, signal)
    const page: PricePage = JSON.parse(text)
    if (page.Items === undefined)
      throw providerErrors.IncompleteAnswer({ problem: `${first.host} returned no list of prices` })
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
