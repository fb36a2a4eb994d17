import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import type { PriceBook } from '@kerf/provider-kit'
import { type Clock, sleep } from '@kerf/runtime'
import type { AlibabaApi, SpotPrice } from '../api/actions.ts'
import { type FailureKind, kindOfError } from '../failures/failure-kind.ts'
import { fromCny } from '../pricing/currency.ts'
import type { OfferedTypes } from './offered-types.ts'

/** The pause between two requests. Each request returns the prices of one instance type, and the API limits the rate. */
const PAUSE: Milliseconds = 500

const newest = (prices: readonly SpotPrice[]): ReadonlyMap<string, SpotPrice> => {
  const byZone = new Map<string, SpotPrice>()
  for (const price of prices) {
    const known = byZone.get(price.ZoneId)
    if (known === undefined || known.Timestamp < price.Timestamp) byZone.set(price.ZoneId, price)
  }
  return byZone
}

/** The latest prices of an instance type per zone, and the function that converts them to dollars. */
interface History {
  readonly prices: readonly SpotPrice[]
  readonly convert: (price: number) => UsdPerHour
}

/** Failures that concern only the instance type of the request. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(['no-stock', 'type-unfit', 'configuration', 'not-found'])

export interface PriceReaderDeps {
  readonly api: AlibabaApi
  readonly clock: Clock
  readonly offered: OfferedTypes
  readonly book: Pick<PriceBook, 'learnOnDemand' | 'learnSpot'>
}

export interface PriceReaderOptions {
  readonly region: string
  /** The exchange rate for prices in CNY. */
  readonly cnyPerUsd: number
}

/**
 * Reads the prices of the instance types with spot stock. Each response contains the spot price in each zone, and the on-demand price of
 * the same instance without disks (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`). Converts prices in CNY to dollars.
 * For international accounts, the API returns dollars.
 */
export class PriceReader {
  readonly #deps: PriceReaderDeps
  readonly #options: PriceReaderOptions

  constructor(deps: PriceReaderDeps, options: PriceReaderOptions) {
    this.#deps = deps
    this.#options = options
  }

  /** Reads the prices of all instance types. */
  async read(signal: AbortSignal): Promise<void> {
    const { clock, offered, book } = this.#deps
    const { stock } = await offered.read(signal)
    const types = [...new Set([...stock.spot.values()].flatMap((names) => [...names]))].toSorted()
    const onDemand = new Map<string, UsdPerHour>()
    const spot = new Map<string, ReadonlyMap<string, UsdPerHour>>()
    for (const [index, type] of types.entries()) {
      if (index > 0) await sleep(clock, PAUSE, signal)
      const history = await this.#historyIfSold(type, signal)
      if (history === undefined) continue
      const { prices, convert } = history
      spot.set(type, new Map(prices.map(({ ZoneId, SpotPrice: price }) => [ZoneId, convert(price)])))
      const price = prices.find(({ OriginPrice = 0 }) => OriginPrice > 0)?.OriginPrice
      if (price !== undefined) onDemand.set(type, convert(price))
    }
    book.learnSpot(spot)
    book.learnOnDemand(onDemand)
  }

  /** Returns undefined if the API refuses the instance type, so that the prices of the other types can still be read. */
  async #historyIfSold(type: string, signal: AbortSignal): Promise<History | undefined> {
    try {
      return await this.#history(type, signal)
    } catch (error) {
      if (REFUSALS.has(kindOfError(error))) return undefined
      throw error
    }
  }

  async #history(type: string, signal: AbortSignal): Promise<History> {
    const { region, cnyPerUsd } = this.#options
    const found: SpotPrice[] = []
    let currency = ''
    for (let offset = 0; ; ) {
      const query = { RegionId: region, NetworkType: 'vpc', InstanceType: type, Offset: offset } as const
      const page = await this.#deps.api.call('DescribeSpotPriceHistory', query, signal)
      currency = page.Currency ?? currency
      found.push(...(page.SpotPrices?.SpotPriceType ?? []))
      const { NextOffset = 0 } = page
      // On the last page, the next offset is 0 or the offset of that page.
      if (NextOffset <= offset) break
      offset = NextOffset
    }
    const convert =
      currency === 'USD' ? (price: number): UsdPerHour => price : (price: number) => fromCny(price, cnyPerUsd)
    return { prices: [...newest(found).values()].filter(({ SpotPrice: price }) => price > 0), convert }
  }
}
