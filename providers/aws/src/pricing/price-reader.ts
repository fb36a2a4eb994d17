import { providerErrors } from '@kerf/provider-contract'
import { type Clock, mapWhole } from '@kerf/runtime'
import type { AwsApi } from '../api/aws-api.ts'
import type { AwsPriceBook } from './price-book.ts'
import { pricesOfProducts, productFilters, regionCurrency } from './price-list.ts'

/** Returns true for regions from which the Pricing API cannot be reached. */
const hasNoPricing = (region: string): boolean => region.startsWith('us-gov') || region.startsWith('us-iso')

/** Reads prices from AWS (`providers/aws/docs/spec/aws.md#prices`) into the book. */
export class PriceReader {
  readonly #api: Pick<AwsApi, 'ec2' | 'pricing'>
  readonly #clock: Clock
  readonly #book: AwsPriceBook
  readonly #region: string

  constructor(
    deps: { readonly api: Pick<AwsApi, 'ec2' | 'pricing'>; readonly clock: Clock; readonly book: AwsPriceBook },
    of: { readonly region: string },
  ) {
    this.#api = deps.api
    this.#clock = deps.clock
    this.#book = deps.book
    this.#region = of.region
  }

  /** Returns true if Kerf can read on-demand prices in this region. */
  canReadOnDemand(isIsolated: boolean): boolean {
    return !isIsolated && !hasNoPricing(this.#region)
  }

  /** Reads on-demand prices. If an answer contains none, throws IncompleteAnswer and keeps the known prices. */
  async readOnDemand(signal: AbortSignal): Promise<void> {
    const answers = await mapWhole(
      productFilters(this.#region),
      2,
      async (filters, inner) =>
        pricesOfProducts(
          await this.#api.pricing.getProducts('AmazonEC2', filters, inner),
          regionCurrency(this.#region),
        ),
      signal,
    )
    if (answers.some((prices) => prices.size === 0))
      throw providerErrors.IncompleteAnswer({ problem: `the Pricing API has no prices for ${this.#region}` })
    this.#book.learnOnDemand(new Map(answers.flatMap((prices) => [...prices])))
  }

  /** Reads the current spot prices. */
  async readSpot(signal: AbortSignal): Promise<void> {
    const history = await this.#api.ec2.describeSpotPriceHistory(new Date(this.#clock.now()), signal)
    const latest = new Map<string, Map<string, { readonly price: number; readonly at: number }>>()
    for (const { InstanceType: type, AvailabilityZone: zone, SpotPrice: text, Timestamp: time } of history) {
      const price = Number(text)
      if (type === undefined || zone === undefined || !Number.isFinite(price) || price <= 0) continue
      const zones = latest.get(type) ?? new Map<string, { price: number; at: number }>()
      const at = time?.getTime() ?? 0
      const known = zones.get(zone)
      if (known === undefined || at >= known.at) zones.set(zone, { price, at })
      latest.set(type, zones)
    }
    if (latest.size === 0)
      throw providerErrors.IncompleteAnswer({ problem: `EC2 has no spot prices for ${this.#region}` })
    this.#book.learnSpot(
      new Map(
        [...latest].map(([type, zones]) => [type, new Map([...zones].map(([zone, { price }]) => [zone, price]))]),
      ),
    )
  }
}
