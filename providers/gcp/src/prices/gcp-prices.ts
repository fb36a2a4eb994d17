import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { type PriceSources, providerErrors } from '@kerf/provider-contract'
import { type PriceTable, SingleFlight } from '@kerf/provider-kit'
import { type Clock, sleep } from '@kerf/runtime'
import type { BillingCatalog } from '../api/billing-catalog.ts'
import type { CapacityType } from '../api/sku-rates.ts'
import { knownPrices } from '../tables/known-prices.ts'
import { knownTypes } from '../tables/known-types.ts'
import type { TypeFacts } from '../type-facts.ts'
import { CatalogPrices } from './catalog-prices.ts'

/** How long the first plan waits for the current prices. */
const FIRST_WAIT: Milliseconds = 10_000

export interface GcpPricesOptions {
  readonly clock: Clock
  readonly region: string
  /** Prices that a user declared. */
  readonly file?: PriceTable | undefined
  /** The Cloud Billing Catalog. Undefined if Kerf does not read prices from Google Cloud. */
  readonly catalog?: BillingCatalog | undefined
}

/**
 * The prices of a region (`providers/gcp/docs/spec/gcp.md#prices`): the user's price file takes precedence, then the Cloud Billing Catalog,
 * then Kerf's built-in prices. Spot prices are the same in all zones of a region, unless the file has prices per zone.
 */
export class GcpPrices {
  readonly #options: GcpPricesOptions
  readonly #known: ReturnType<typeof knownPrices>
  #catalog: { readonly prices: CatalogPrices; readonly readAt: Milliseconds } | undefined
  #sequence = 0
  /** Whether the first read has ended or timed out. */
  #isTried = false
  readonly #reading = new SingleFlight<void>()

  constructor(options: GcpPricesOptions) {
    this.#options = options
    this.#known = knownPrices(options.region)
  }

  /** A number that changes whenever a price may have changed. */
  get sequence(): number {
    return this.#sequence
  }

  /** Whether prices can be read from Google Cloud. */
  get isReadable(): boolean {
    return this.#options.catalog !== undefined
  }

  /** Returns the price of an instance type. The facts are needed only for types that are not in Kerf's tables. */
  onDemand(type: string, facts?: TypeFacts): UsdPerHour | undefined {
    const { file } = this.#options
    return file?.onDemand.get(type) ?? this.#current(type, facts, 'on-demand') ?? this.#known?.get(type)?.onDemand
  }

  spot(type: string, zone: string, facts?: TypeFacts): UsdPerHour | undefined {
    const { file } = this.#options
    return file?.spot.get(type)?.get(zone) ?? this.#current(type, facts, 'spot') ?? this.#known?.get(type)?.spot
  }

  /** The sources of the prices. The count of each source is the number of instance types that it has prices for. */
  get sources(): PriceSources {
    return { onDemand: this.#source('on-demand'), spot: this.#source('spot') }
  }

  /**
   * Waits for the first read, so that the first plan has the same prices as later ones. If the read fails or takes too long, plans use the
   * known prices.
   */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#isTried || !this.isReadable) return
    const waiting = new AbortController()
    const stop = AbortSignal.any([signal, waiting.signal])
    try {
      await Promise.race([this.read(stop), sleep(this.#options.clock, FIRST_WAIT, stop)])
    } catch {
      signal.throwIfAborted()
    } finally {
      this.#isTried = true
      waiting.abort()
    }
  }

  /**
   * Reads the current prices. Concurrent callers share the request. If the response has no prices for the region, Kerf keeps using the
   * known prices.
   */
  read(signal: AbortSignal): Promise<void> {
    return this.#reading.run('prices', (inner) => this.#read(inner), signal)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { catalog, region, clock } = this.#options
    if (catalog === undefined) return
    const rates = await catalog.rates(region, signal)
    if (rates.length === 0)
      throw providerErrors.IncompleteAnswer({ problem: `the Cloud Billing Catalog has no prices of ${region}` })
    this.#catalog = { prices: new CatalogPrices(rates), readAt: clock.now() }
    this.#sequence++
  }

  #current(type: string, facts: TypeFacts | undefined, capacityType: CapacityType): UsdPerHour | undefined {
    const known = facts ?? knownTypes.get(type)
    return known === undefined ? undefined : this.#catalog?.prices.price(known, capacityType)
  }

  #source(capacityType: CapacityType): PriceSources['onDemand'] {
    const { file } = this.#options
    if (this.#catalog !== undefined) {
      const { prices, readAt } = this.#catalog
      const types = [...knownTypes.values()].filter((facts) => prices.price(facts, capacityType) !== undefined)
      return { source: 'gcp', readAt, types: types.length }
    }
    const declared = (capacityType === 'spot' ? file?.spot : file?.onDemand)?.size ?? 0
    if (declared > 0) return { source: 'file', types: declared }
    const known = [...(this.#known?.values() ?? [])].filter(
      ({ spot }) => capacityType === 'on-demand' || spot !== undefined,
    )
    return { source: 'estimate', types: known.length }
  }
}
