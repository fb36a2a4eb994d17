import type { DeclaredPrice } from '@kerf/provider-contract'
import { defineMetrics, type Metrics } from '@kerf/runtime'

const byOffering = ['instance_type', 'capacity_type', 'zone', 'source'] as const

export const priceBookMetrics = defineMetrics({
  price: {
    name: 'kerf_price_book_usd_per_hour',
    type: 'gauge',
    help: 'A declared price in US dollars per hour. zone is empty if the price applies to every zone without a price of its own.',
    labels: byOffering,
  },
  asOf: {
    name: 'kerf_price_book_timestamp_seconds',
    type: 'gauge',
    help: 'The day of a declared price, in seconds since 1970.',
    labels: byOffering,
  },
  failing: {
    name: 'kerf_price_book_failing',
    type: 'gauge',
    help: '1 if the source of the declared prices could not be read at the last attempt, otherwise 0. Absent without a price book.',
    labels: [],
  },
})

type PriceLabels = Record<(typeof byOffering)[number], string>

/** Reports the declared prices that are in effect. */
export class PriceBookGauges {
  readonly #gauges
  #shown: readonly PriceLabels[] = []

  constructor(metrics: Metrics) {
    this.#gauges = priceBookMetrics.register(metrics)
  }

  show(prices: readonly DeclaredPrice[], source: string): void {
    for (const labels of this.#shown) {
      this.#gauges.price.remove(labels)
      this.#gauges.asOf.remove(labels)
    }
    this.#shown = prices.map(({ instanceType, capacityType, zone = '', price, asOf }) => {
      const labels = { instance_type: instanceType, capacity_type: capacityType, zone, source }
      this.#gauges.price.set(price, labels)
      this.#gauges.asOf.set(asOf / 1000, labels)
      return labels
    })
  }

  /** Reports whether the last read failed. Undefined means that there is no price book. */
  failing(isFailing: boolean | undefined): void {
    if (isFailing === undefined) this.#gauges.failing.remove({})
    else this.#gauges.failing.set(isFailing ? 1 : 0)
  }
}
