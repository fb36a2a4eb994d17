import { type HttpClient, readPages } from '@kerf/provider-kit'
import { asked } from './sdk-error.ts'
import { type ComponentRate, componentRate, type Sku } from './sku-rates.ts'

/** The price list of Google Cloud, which all projects share. */
export interface BillingCatalog {
  /** Returns the current prices of the components of instances in a region. */
  rates(region: string, signal: AbortSignal): Promise<readonly ComponentRate[]>
}

const ROOT = 'https://cloudbilling.googleapis.com'
/** The ID of Compute Engine in the catalog. */
const COMPUTE_ENGINE = '6F81-5844-456A'
/** The maximum page size of the API. The list has about 30,000 SKUs. */
const PAGE_SIZE = '5000'

interface SkuPage {
  readonly skus?: readonly Sku[]
  readonly nextPageToken?: string
}

/**
 * Returns a client for the Cloud Billing Catalog. Its calls need a token but no permission. They read all pages and return only the SKUs of
 * the region. Each call throws GcpApiError, or the abort reason of the signal.
 */
export const billingCatalog = ({
  http,
  endpoint,
}: {
  readonly http: Pick<HttpClient, 'call'>
  /** Default: Google's. */
  readonly endpoint?: string
}): BillingCatalog => ({
  rates: (region, signal) =>
    asked(
      () =>
        readPages<ComponentRate, string>(async (next) => {
          const url = new URL(`/v1/services/${COMPUTE_ENGINE}/skus`, endpoint ?? ROOT)
          url.searchParams.set('currencyCode', 'USD')
          url.searchParams.set('pageSize', PAGE_SIZE)
          if (next !== undefined) url.searchParams.set('pageToken', next)
          const { text } = await http.call({ method: 'GET', url }, signal)
          const { skus = [], nextPageToken = '' }: SkuPage = JSON.parse(text)
          return {
            items: skus.flatMap((sku) => componentRate(sku, region) ?? []),
            next: nextPageToken === '' ? undefined : nextPageToken,
          }
        }),
      signal,
    ),
})
