import { type Clock, defineMetrics, type Metrics, type MetricTable } from '@kerf/runtime'
import type { PriceBook } from './price-book.ts'

const priceGauges = (prefix: string, cloud: string) =>
  ({
    source: {
      name: `${prefix}_price_source`,
      type: 'gauge',
      help: `Instance types by source of their price of this kind (${cloud}, last-seen, file or estimate).`,
      labels: ['kind', 'source'],
    },
    age: {
      name: `${prefix}_price_age_seconds`,
      type: 'gauge',
      help: 'The age of the prices in use; absent if unknown.',
      labels: ['kind'],
    },
  }) as const

/** The metrics of a cloud's price book. Their names begin with `prefix`. */
export type PriceMetrics = MetricTable<ReturnType<typeof priceGauges>>

export const definePriceMetrics = (prefix: string, cloud: string): PriceMetrics =>
  defineMetrics(priceGauges(prefix, cloud))

/** Reports the source and age of the current prices at each scrape. Returns a function that stops the reporting. */
export const reportPrices = (
  table: PriceMetrics,
  { metrics, clock, book }: { readonly metrics: Metrics; readonly clock: Clock; readonly book: PriceBook },
): (() => void) => {
  const { source, age } = table.register(metrics)
  return metrics.onScrape(() => {
    source.reset()
    age.reset()
    for (const [kind, standing] of Object.entries(book.standing)) {
      const name = kind === 'onDemand' ? 'on-demand' : 'spot'
      source.set(standing.types, { kind: name, source: standing.source })
      if (standing.readAt !== undefined) age.set(Math.max(clock.now() - standing.readAt, 0) / 1000, { kind: name })
    }
  })
}
