import type { Milliseconds } from '@kerf/apis'
import type { PriceSourceStatus, PriceSources } from '@kerf/provider-contract'
import { SingleFlight } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ShapeRates } from '../instance-types/shape-rates.ts'
import { knownRates } from '../tables/known-shapes.ts'
import { shapeParts } from './part-numbers.ts'
import type { PartPrices } from './price-list.ts'

export interface ShapePricesOptions {
  readonly clock: Clock
  /** Reads Oracle's catalogue. Absent if Kerf uses only its built-in prices. */
  readonly read?: ((signal: AbortSignal) => Promise<PartPrices>) | undefined
}

/** Returns the rates of a shape from the catalogue, or undefined if one of its parts is missing. */
const catalogueRates = (shape: string, prices: PartPrices): ShapeRates | undefined => {
  const parts = shapeParts(shape)
  if (parts === undefined) return undefined
  const rate = (part: string | undefined): number => (part === undefined ? 0 : (prices.get(part) ?? Number.NaN))
  const rates: ShapeRates = {
    ...{ perOcpu: rate(parts.ocpu), perGB: rate(parts.memory), perDiskTB: rate(parts.disk), perGpu: rate(parts.gpu) },
  }
  return Object.values(rates).some(Number.isNaN) ? undefined : rates
}

/**
 * The prices of shapes. They come from Oracle's catalogue, or from Kerf's built-in table until the catalogue has been read. All regions
 * have the same prices.
 */
export class ShapePrices {
  readonly #options: ShapePricesOptions
  readonly #reading = new SingleFlight<void>()
  #catalogue: { readonly prices: PartPrices; readonly readAt: Milliseconds } | undefined
  #sequence = 0

  constructor(options: ShapePricesOptions) {
    this.#options = options
  }

  /** A number that changes whenever a price may have changed. */
  get sequence(): number {
    return this.#sequence
  }

  /** Returns the rates of a shape, or undefined if its price is unknown. */
  rates(shape: string): ShapeRates | undefined {
    const current = this.#catalogue === undefined ? undefined : catalogueRates(shape, this.#catalogue.prices)
    return current ?? knownRates.get(shape)
  }

  /** Reads the catalogue. Concurrent callers share the request. If it fails, Kerf keeps using the earlier prices. */
  read(signal: AbortSignal): Promise<void> {
    const work = async (inner: AbortSignal): Promise<void> => {
      const prices = await this.#options.read?.(inner)
      if (prices === undefined) return
      this.#catalogue = { prices, readAt: this.#options.clock.now() }
      this.#sequence++
    }
    return this.#reading.run('prices', work, signal)
  }

  /** Preemptible instances have a fixed discount, so their prices come from the same source. */
  get sources(): PriceSources {
    const source: PriceSourceStatus =
      this.#catalogue === undefined
        ? { source: 'estimate', types: knownRates.size }
        : { source: 'oci', readAt: this.#catalogue.readAt, types: this.#catalogueTypes(this.#catalogue.prices) }
    return { onDemand: source, spot: source }
  }

  #catalogueTypes(prices: PartPrices): number {
    return [...knownRates.keys()].filter((shape) => catalogueRates(shape, prices) !== undefined).length
  }
}
