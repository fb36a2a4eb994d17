import type { UsdPerHour } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { type HttpClient, PriceBook, PriceMemory, type PriceTable } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'
import { readRetailPrices } from '../api/retail-prices.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { isTriedSize } from '../tables/known-sizes.ts'

/** The zone key of spot prices, because they are equal in all zones of a location. */
const ANYWHERE = '*'

/** The ConfigMap in which Kerf saves the last prices from Azure for its next start. */
export const PRICE_CONFIG_MAP = 'karpenter-azure-prices'

/**
 * The prices of sizes in the location (`providers/azure/docs/spec/azure.md#prices`). Sizes that nobody has tested have no price, so Kerf
 * uses them last. Until Azure has returned spot prices, spot has the on-demand price.
 */
export class AzurePrices {
  readonly book: PriceBook<'azure'>
  readonly memory: PriceMemory | undefined
  readonly #http: Pick<HttpClient, 'call'> | undefined
  readonly #location: string
  #reading: { readonly at: number; readonly table: ReturnType<typeof readRetailPrices> } | undefined
  readonly #clock: Clock

  constructor(
    deps: {
      readonly clock: Clock
      readonly client: KubeClient
      /** Sends requests without a token. Absent if the retail price API has no prices for the cloud. */
      readonly http?: Pick<HttpClient, 'call'>
    },
    of: { readonly location: string; readonly namespace?: string; readonly file?: PriceTable },
  ) {
    this.#clock = deps.clock
    this.#http = deps.http
    this.#location = of.location
    this.book = new PriceBook(deps.clock, {
      cloud: 'azure',
      estimate: firstPrices(of.location).onDemand,
      ...(of.file === undefined ? {} : { file: of.file }),
    })
    this.memory =
      of.namespace === undefined
        ? undefined
        : new PriceMemory(deps.client, {
            ...{ namespace: of.namespace, name: PRICE_CONFIG_MAP, key: `${of.location}.json` },
          })
  }

  get sequence(): number {
    return this.book.sequence
  }

  /** Whether Kerf can read prices from Azure. */
  get isReadable(): boolean {
    return this.#http !== undefined
  }

  onDemand(size: string): UsdPerHour | undefined {
    return isTriedSize(size) ? this.book.onDemand(size) : undefined
  }

  spot(size: string): UsdPerHour | undefined {
    return isTriedSize(size) ? this.book.spot(size, ANYWHERE) : undefined
  }

  /** Reads on-demand prices. If the answer contains none, throws IncompleteAnswer and keeps the known prices. */
  async readOnDemand(signal: AbortSignal): Promise<void> {
    const { onDemand } = await this.#read(signal)
    if (onDemand.size === 0)
      throw providerErrors.IncompleteAnswer({ problem: `the retail price API has no prices for ${this.#location}` })
    this.book.learnOnDemand(onDemand)
  }

  /** Reads spot prices. If the answer contains none, throws IncompleteAnswer and keeps the known prices. */
  async readSpot(signal: AbortSignal): Promise<void> {
    const { spot } = await this.#read(signal)
    if (spot.size === 0)
      throw providerErrors.IncompleteAnswer({
        problem: `the retail price API has no spot prices for ${this.#location}`,
      })
    this.book.learnSpot(new Map([...spot].map(([size, price]) => [size, new Map([[ANYWHERE, price]])])))
  }

  /** Reads both kinds of prices, which are in the same answer. Concurrent callers share the request. */
  #read(signal: AbortSignal): ReturnType<typeof readRetailPrices> {
    const http = this.#http
    if (http === undefined) throw providerErrors.IncompleteAnswer({ problem: 'this cloud has no retail price API' })
    const now = this.#clock.monotonic()
    if (this.#reading?.at === now) return this.#reading.table
    const table = readRetailPrices(http, this.#location, signal)
    this.#reading = { at: now, table }
    return table
  }
}
