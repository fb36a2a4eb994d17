import type { Milliseconds } from '../clock/clock.ts'

export type Labels = Readonly<Record<string, string>>

export interface Counter {
  inc(labels?: Labels, by?: number): void
}

export interface Gauge {
  set(value: number, labels?: Labels): void
  /** Removes one series, or every series whose labels include those given. */
  remove(labels: Labels): void
  reset(): void
}

export interface Histogram {
  /** `value` in the metric's own unit, which is seconds for durations. */
  observe(value: number, labels?: Labels): void
}

export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** Metric families by their full name; asking for a name again returns the same family. */
export interface Metrics {
  counter(options: MetricOptions): Counter
  gauge(options: MetricOptions): Gauge
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram
  summary(
    options: MetricOptions & { readonly percentiles?: readonly number[]; readonly maxAge?: Milliseconds },
  ): Histogram
  /** Calls `update` before each scrape, for gauges that are cheaper to compute than to keep. Returns the way to stop. */
  onScrape(update: () => void): () => void
  /** The Prometheus text format. */
  text(): Promise<string>
}
